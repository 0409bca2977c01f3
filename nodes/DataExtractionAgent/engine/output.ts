import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Upload } from './document';
import type { JobResult } from './job';
import type { OutputOptions } from './plan';
import { isObject, type ResultRecord } from './record';
import type { ScreenshotProblem } from './screenshots';

/** What belongs to a result besides its record. */
export interface Attachments {
	/** The file that the job was started with. */
	upload?: Upload;
	binary?: IBinaryKeyData;
	screenshotProblems?: ScreenshotProblem[];
}

/** The items of one job. */
export function toItems(
	itemIndex: number,
	result: JobResult,
	options: OutputOptions,
	{ upload, binary, screenshotProblems = [] }: Attachments = {},
): INodeExecutionData[] {
	return bodies(result, options, upload).map((body) => ({
		json: withoutError({
			...body,
			...(screenshotProblems.length > 0 && {
				screenshotProblems: screenshotProblems as unknown as IDataObject[],
			}),
		}),
		...(binary && Object.keys(binary).length > 0 && { binary }),
		pairedItem: { item: itemIndex },
	}));
}

function bodies(result: JobResult, options: OutputOptions, upload?: Upload): IDataObject[] {
	const { id, record } = result;
	if (!record) return [started(result, upload)];
	// Without data there is nothing to show in the form of data, and the ID must not be lost.
	if (!record.done && options.form !== 'full') return [simplified(id, record, record.json, upload)];
	const rows = options.splitIntoItems && record.done ? rowsOf(record.json) : undefined;
	return (rows ?? [record.json]).map((data) => {
		switch (options.form) {
			case 'data':
				return isObject(data) ? data : { data: data as IDataObject };
			case 'full':
				return full(id, record, rows && data);
			default:
				return simplified(id, record, data, upload);
		}
	});
}

/** A job without a result: it was only started, or was not to be seen when the wait ended. */
function started({ id, started: answer }: JobResult, upload?: Upload): IDataObject {
	return {
		id,
		...(answer?.message !== undefined && { message: answer.message }),
		...(answer?.success !== undefined && { success: answer.success }),
		done: false,
		...(upload?.ofSeveral && fileOf(upload)),
	};
}

function simplified(
	id: string,
	{ done, changed, when, credits, details, screenshots }: ResultRecord,
	data: unknown,
	upload?: Upload,
): IDataObject {
	// The data stands where a table shows it without scrolling.
	const all = { id, done, data, changed, when, credits, details, screenshots };
	const present = Object.entries(all).filter(([, value]) => value !== undefined);
	return { ...(Object.fromEntries(present) as IDataObject), ...fileOf(upload) };
}

/** The envelope as it was received; with `row`, its data replaced by that one row. */
function full(id: string, { envelope, done }: ResultRecord, row: unknown): IDataObject {
	const result = envelope.result as IDataObject;
	if (row !== undefined) return { ...envelope, result: { ...result, json: row as IDataObject } };
	return done || result.id ? envelope : { ...envelope, id };
}

/**
 * The rows of a record: its data, or the only member of its data, that is a list of objects.
 *
 * @returns `undefined` where there is no such list
 */
function rowsOf(json: unknown): IDataObject[] | undefined {
	if (isRows(json)) return json;
	if (!isObject(json)) return undefined;
	const lists = Object.values(json).filter(isRows);
	return lists.length === 1 ? lists[0] : undefined;
}

function isRows(value: unknown): value is IDataObject[] {
	return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** n8n takes an item with a top-level `error` for a failed one, whatever it holds. */
function withoutError(json: IDataObject): IDataObject {
	return Object.hasOwn(json, 'error') ? { data: json } : json;
}

function fileOf(upload?: Upload): IDataObject {
	if (!upload) return {};
	const { field, fileName: name, mimeType, sizeBytes: size } = upload;
	return { file: { field, name, mimeType, size } };
}
