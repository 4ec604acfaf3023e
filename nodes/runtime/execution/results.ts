import type { IDataObject } from 'n8n-workflow';
import { type ErrorSource, operationError } from '../errors/webDataError';
import type { ApiResponse } from '../errors/response';
import { creditsIn } from '../http/credits';
import { mapInTurns } from '../values/time';
import type { Result } from '../operation';
import { fieldOf, isRecord, isUnset, setField } from '../values/record';
import { pluralize } from '../values/text';

/** Copies an object without some of its fields. */
export function without(record: IDataObject, ...names: string[]): IDataObject {
	const rest: IDataObject = {};
	for (const name of Object.keys(record))
		if (!names.includes(name)) setField(rest, name, record[name]);
	return rest;
}

/** Wraps an entry of a list that is not an object in the field `value`. */
export const asRecord = (entry: unknown): IDataObject =>
	isRecord(entry) ? (entry as IDataObject) : { value: entry as string };

/** Adds the node's own fields to an object; fields of the same name, which were charged, move to `original`. */
export function label(record: IDataObject, labels: IDataObject): IDataObject {
	// A field that is added to a spread copy costs V8 ten times as much, but Object.assign would set a prototype.
	const labelled = Object.hasOwn(record, '__proto__') ? { ...record } : Object.assign({}, record);
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

/** What `original` of a record holds: fields that were moved there before, or a value of its own. */
export const originalOf = ({ original }: IDataObject): IDataObject =>
	isRecord(original) ? (original as IDataObject) : { ...(original !== undefined && { original }) };

/** Characters processed in the time that a result takes. */
export const workPerResult = 50;

/** Makes one result of each entry, by its index. */
export const resultOfEach = async (
	entries: readonly unknown[],
	jsonOf: (record: IDataObject, index: number) => IDataObject,
): Promise<Result[]> =>
	await mapInTurns(entries, workPerResult, (entry, index) => ({
		json: jsonOf(asRecord(entry), index),
	}));

/** Describes the charge that a response reports. */
function charge(body: unknown): string {
	const credits = creditsIn(body);
	if (credits === undefined) {
		return 'It may have been charged; the response does not report the credits.';
	}
	return `${pluralize(credits, 'credit')} ${credits === 1 ? 'was' : 'were'} charged.`;
}

const requestId = (id: unknown) =>
	typeof id === 'string' ? ` The ID of the request is ${id}.` : '';

/** The error for a charged response without a required field, in contrast to an empty result. */
export const missingInPaidResponse = (
	what: string,
	body: unknown,
	errorSource: ErrorSource,
	also = '',
) =>
	operationError(
		`The response lacks ${what}`,
		`${charge(body)}${requestId(fieldOf(body, 'id'))} Check 'Base URL' in the credential: the server may be of another version. ${also}`.trim(),
		errorSource,
	);

/** Returns the list `name` of a charged response. @throws WebDataError that reports the charge */
export function requirePaidList(body: unknown, name: string, errorSource: ErrorSource): unknown[] {
	const list = fieldOf(body, name);
	if (Array.isArray(list)) return list;
	throw missingInPaidResponse(`a list of ${name}`, body, errorSource);
}

/** The field `name` of a charged response. @throws WebDataError that reports the charge if it is empty */
export function requirePaidField(
	body: unknown,
	name: string,
	what: string,
	errorSource: ErrorSource,
): unknown {
	const value = fieldOf(body, name);
	const isNothing = isUnset(value) || (Array.isArray(value) && value.length === 0);
	if (!isNothing) return value;
	throw missingInPaidResponse(what, body, errorSource);
}

/** The ID of what was started, if the response has one. */
export function startedId(body: unknown): string | undefined {
	const id = fieldOf(body, 'id');
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Requires the ID of a started job. @throws WebDataError without one: nothing can follow or cancel it */
export function requireJobId(
	noun: string,
	{ body }: ApiResponse,
	errorSource: ErrorSource,
): IDataObject {
	if (startedId(body) !== undefined) return body as IDataObject;
	throw operationError(
		`The response to the start of the ${noun} has no ID`,
		`It may be running and charged. Look it up in the list of jobs or in the dashboard before you retry, and check 'Base URL' in the credential.`,
		errorSource,
	);
}

/**
 * Returns one result per entry of the list `name` of a charged response, with `position`, the first also
 * with the cost and the other fields of the response; or the whole response.
 * @throws WebDataError that reports the charge if there is no such list
 */
export async function listResults(
	body: unknown,
	name: string,
	output: unknown,
	errorSource: ErrorSource,
): Promise<Result[]> {
	if (output === 'raw' && isRecord(body)) return [{ json: body as IDataObject }];
	const entries = requirePaidList(body, name, errorSource);
	const { creditsUsed, ...request } = without(asRecord(body), name, 'success');
	return await resultOfEach(entries, (record, index) =>
		label(record, { position: index + 1, ...(index === 0 && { creditsUsed, request }) }),
	);
}
