import type { IDataObject } from 'n8n-workflow';
import { isUnset } from '../form/schema';
import { pluralize } from '../values/text';
import { operationError, type ErrorSource } from '../errors/message';
import type { ApiResponse } from '../errors/response';
import { fieldOf } from '../values/record';
import { creditsIn } from '../http/credits';

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

/**
 * The error for a charged response without a required field, in contrast to an empty result.
 */
export const missingInPaidResponse = (what: string, body: unknown, errorSource: ErrorSource) =>
	operationError(
		`The response lacks ${what}`,
		`${charge(body)}${requestId(fieldOf(body, 'id'))} Check 'Base URL' in the credential: the server may be of another version.`,
		errorSource,
	);

/** Returns the list `name` of a charged response. @throws NodeOperationError that reports the charge */
export function requirePaidList(body: unknown, name: string, errorSource: ErrorSource): unknown[] {
	const list = fieldOf(body, name);
	if (Array.isArray(list)) return list;
	throw missingInPaidResponse(`a list of ${name}`, body, errorSource);
}

/**
 * Returns the field `name` of a charged response.
 * @throws NodeOperationError that reports the charge if the field is empty
 */
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

/**
 * Requires the ID in the response to a start.
 * @throws NodeOperationError without one: the job can neither be followed nor cancelled
 */
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
