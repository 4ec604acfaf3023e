import type { IDataObject } from 'n8n-workflow';
import { operationError, type ErrorSource } from '../api/errors';
import { fieldOf } from '../values/record';
import type { ApiResponse } from '../api/retry';

/** The ID that the service gave to what was started, if it named one. */
export function startedId(body: unknown): string | undefined {
	const id = fieldOf(body, 'id');
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * The answer to a start, which names what was started.
 * @throws NodeOperationError when it names nothing: what may be running then can be neither followed nor ended
 */
export function requireJobId(
	noun: string,
	{ body }: ApiResponse,
	errorSource: ErrorSource,
): IDataObject {
	if (startedId(body) !== undefined) return body as IDataObject;
	throw operationError(
		`The service answered the start of the ${noun} without an ID`,
		`It may be running, and may be charged. Look for it in the list of jobs or in the dashboard before you repeat it, and check 'Base URL' in the credential.`,
		errorSource,
	);
}
