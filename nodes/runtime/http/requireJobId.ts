import type { IDataObject } from 'n8n-workflow';
import { operationError, type ErrorSource } from '../errors/message';
import { fieldOf } from '../values/record';
import type { ApiResponse } from '../errors/response';

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
