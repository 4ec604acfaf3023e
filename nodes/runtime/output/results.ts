import type { IDataObject } from 'n8n-workflow';
import { isUnset } from '../form/schema';
import type { ErrorSource } from '../api/errors';
import type { Result } from '../operation/operation';
import { requirePaidList } from './paidResponse';
import { fieldOf, isRecord } from '../values/record';

/** A record without some of its members. */
export const without = (record: IDataObject, ...names: string[]): IDataObject =>
	Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** What stands in a list as a record: itself, or its value under `value`. */
export const asRecord = (entry: unknown): IDataObject =>
	isRecord(entry) ? (entry as IDataObject) : { value: entry as string };

/**
 * Puts the node's own members on a record. Members of the record that have such a name move to
 * `original`: they are paid for.
 */
export function label(record: IDataObject, labels: IDataObject): IDataObject {
	const labelled = { ...record };
	const clashes: string[] = [];
	for (const name of Object.keys(labels)) {
		const value = labels[name];
		if (Object.hasOwn(record, name) && record[name] !== value) clashes.push(name);
		if (!isUnset(value)) labelled[name] = value;
	}
	if (clashes.length === 0) return labelled;
	if (Object.hasOwn(record, 'original')) clashes.push('original');
	labelled.original = Object.fromEntries(clashes.map((name) => [name, record[name]]));
	return labelled;
}

/**
 * What every answer carries beside its data: the job's id, what it cost, the service's notices
 * (https://docs.firecrawl.dev/api-reference/endpoint/search).
 */
export const aboutRequest = (body: IDataObject): IDataObject => without(body, 'data', 'success');

/** The service's notices in an answer: `warning` (text) and `warnings` (list) are both in use. */
export function noticesIn(body: unknown): string[] {
	const warnings = fieldOf(body, 'warnings');
	const all: unknown[] = [fieldOf(body, 'warning'), ...(Array.isArray(warnings) ? warnings : [])];
	return all.filter((notice): notice is string => typeof notice === 'string' && notice !== '');
}

/**
 * One result per entry of every array in `data`, those of tomorrow included. Each has its `source`
 * (the array's name), its `position` in it, and `request`: what the answer says beside its data.
 */
export function splitData(body: IDataObject): Result[] {
	const request = aboutRequest(body);
	const data = asRecord(body.data ?? {});
	return Object.entries(data).flatMap(([source, entries]) =>
		Array.isArray(entries)
			? entries.map((entry: unknown, index) => {
					const record = asRecord(entry);
					const position = typeof record.position === 'number' ? record.position : index + 1;
					return { json: label(record, { source, position, request }) };
				})
			: [],
	);
}

/**
 * One result per entry of the list `name` of a paid answer, each with its `position` and `request`; or
 * the whole answer.
 * @throws NodeOperationError that says what was charged when there is no such list
 */
export function listResults(
	body: unknown,
	name: string,
	output: unknown,
	errorSource: ErrorSource,
): Result[] {
	if (output === 'response' && isRecord(body)) return [{ json: body as IDataObject }];
	const entries = requirePaidList(body, name, errorSource);
	const request = without(asRecord(body), name, 'success');
	return entries.map((entry, index) => ({
		json: label(asRecord(entry), { position: index + 1, request }),
	}));
}
