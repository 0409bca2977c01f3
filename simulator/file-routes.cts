import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Context } from './context.cts';
import { HttpProblem } from './problem.cts';
import { screenshotPng } from './screenshot.cts';

/** The screenshots that finished results list; like the real ones they need the token. */
export function addScreenshotRoute(server: FastifyInstance, { jobs }: Context): void {
	server.get<{ Params: { id: string; file: string } }>(
		'/screenshots/:id/:file',
		{ config: { operation: 'screenshot' } },
		({ params }, reply) => {
			const index = /^(\d{1,3})\.png$/.exec(params.file)?.[1];
			const count = jobs.get(params.id)?.screenshotCount ?? 0;
			if (index === undefined || Number(index) >= count) {
				throw new HttpProblem(404, 'There is no such screenshot');
			}
			void reply.type('image/png').send(screenshotPng);
		},
	);
}

/** A small public website for URL extractions. */
export function addPageRoutes(server: FastifyInstance, { settings }: Context): void {
	const { pagesDirectory } = settings;
	if (pagesDirectory === undefined) return;
	server.get<{ Params: { file: string } }>(
		'/pages/:file',
		{ config: { operation: 'page' } },
		async ({ params }, reply) => {
			// Also keeps requests inside the folder.
			const isPage = /^[\w-]+\.html$/.test(params.file);
			const html = isPage && (await readFile(join(pagesDirectory, params.file)).catch(() => false));
			if (!(html instanceof Buffer)) throw new HttpProblem(404, 'There is no such page');
			return reply.type('text/html; charset=utf-8').send(html);
		},
	);
}
