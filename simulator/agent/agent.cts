import type { JsonObject } from '../json.cts';
import { buildDataset } from './dataset.cts';
import { allFindings, fillFields } from './fill.cts';
import { emptyFindings, type Findings } from './findings.cts';
import { readHtml } from './html.cts';
import { fetchPage, isLoopback } from './page.cts';
import { readPdf } from './pdf.cts';
import { shapeOf } from './shape.cts';
import { readText } from './text.cts';

/** What one job is to find out. */
export type AgentTask =
	| { kind: 'document'; schema?: JsonObject; file?: AgentFile; extended: boolean }
	| { kind: 'urlExtract'; schema?: JsonObject; url: string; extended: boolean }
	| { kind: 'dataset'; schema: JsonObject; query: string };

/** An uploaded file, or its beginning where it is large. */
export interface AgentFile {
	fileName: string;
	content: Buffer;
	isComplete: boolean;
}

/** What the agent has to say. */
export interface AgentOutcome {
	json: JsonObject;
	descr: string;
}

interface Source {
	findings: Findings;
	descr: string;
}

/** Does a job's work; rejects with the reason where the source cannot be read. */
export async function runAgent(task: AgentTask): Promise<AgentOutcome> {
	if (task.kind === 'dataset') {
		const json = buildDataset(task.query, task.schema);
		return { json, descr: `Built a dataset of ${json.rows.length} rows` };
	}
	const { findings, descr } = await readSource(task);
	const json = answer(task.schema, findings);
	const { links, images } = findings;
	return { json: task.extended ? { ...json, metadata: { links, images } } : json, descr };
}

function answer(schema: JsonObject | undefined, findings: Findings): JsonObject {
	if (schema === undefined) return allFindings(findings);
	const shape = shapeOf(schema);
	return fillFields(shape.kind === 'object' ? shape.fields : { rows: shape }, findings);
}

async function readSource(task: Exclude<AgentTask, { kind: 'dataset' }>): Promise<Source> {
	if (task.kind === 'document') {
		return task.file === undefined ? unread('No file was sent') : readFile(task.file);
	}
	if (!isLoopback(task.url)) {
		return unread('The simulated agent reads pages on the loopback interface only');
	}
	return { findings: readHtml(await fetchPage(task.url)), descr: `Read the page ${task.url}` };
}

async function readFile({ fileName, content, isComplete }: AgentFile): Promise<Source> {
	const descr = `Read the file ${fileName}`;
	if (content.subarray(0, 1024).includes('%PDF-')) {
		if (!isComplete) return unread('The simulated agent reads PDFs of up to 2 MB only');
		return { findings: await readPdf(content), descr };
	}
	if (content.includes(0)) {
		return unread('The simulated agent reads PDF, text and HTML files, but no images');
	}
	const text = content.toString('utf8');
	return { findings: /^\s*</.test(text) ? readHtml(text) : readText(text), descr };
}

function unread(descr: string): Source {
	return { findings: emptyFindings(), descr };
}
