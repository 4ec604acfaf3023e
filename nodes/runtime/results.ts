import type { IDataObject } from 'n8n-workflow';
import { isRecord } from './contract';
import type { Result } from './operation';

/**
 * What every answer carries beside its data: the job's id, what it cost, the service's notices
 * (api-v2, Search response; addendum 0, Annotated responses).
 */
export function aboutResponse(body: IDataObject): IDataObject {
	const about = Object.entries(body).filter(([name]) => name !== 'data' && name !== 'success');
	return Object.fromEntries(about);
}

/** The service's notices in an answer: `warning` (text) and `warnings` (list) are both in use. */
export function noticesIn({ warning, warnings }: IDataObject): string[] {
	const all: unknown[] = [warning, ...(Array.isArray(warnings) ? warnings : [])];
	return all.filter((notice) => typeof notice === 'string' && notice !== '') as string[];
}

/**
 * One result per entry of every array in `data`, those of tomorrow included. Each has its `source`
 * (the array's name), its `position` in it, and `response`: what the answer says beside its data.
 */
export function splitData(body: IDataObject): Result[] {
	const response = aboutResponse(body);
	const data: IDataObject = isRecord(body.data) ? (body.data as IDataObject) : {};
	return Object.entries(data).flatMap(([source, entries]) =>
		Array.isArray(entries)
			? entries.map((entry: unknown, index) => {
					const record = isRecord(entry) ? (entry as IDataObject) : { value: entry as string };
					const position = typeof record.position === 'number' ? record.position : index + 1;
					// First in the editor's table, and not to be overwritten by the record's own.
					const place = { source, position };
					return { json: { ...place, ...record, ...place, response } };
				})
			: [],
	);
}
