import type { IDataObject } from 'n8n-workflow';
import { missingInResponse } from '../../../runtime/api/errors';
import type { ReadContext, Result } from '../../../runtime/operation/operation';
import { isRecord, fieldOf } from '../../../runtime/values/record';
import { aboutRequest, asRecord, label } from '../../../runtime/output/results';
import type { ApiResponse } from '../../../runtime/api/retry';
import { requireJobId } from '../../../runtime/http/requireJobId';

/**
 * The record of a response, with the response's other fields under `request`.
 * @throws NodeOperationError if it has none
 */
export function recordResult(body: unknown, context: ReadContext): Result {
	const response = asRecord(body);
	const { id, ...request }: IDataObject = aboutRequest(response);
	const record = asRecord(response.data ?? {});
	if (id === undefined && !isRecord(response.data))
		throw missingInResponse('a record', context.errorSource);
	return { json: label({ ...(id !== undefined && { id }), ...record }, { request }) };
}

/**
 * The record of a start.
 * @throws NodeOperationError if it has no ID, by which a running job could be found
 */
export function startedResult(noun: string, response: ApiResponse, context: ReadContext): Result {
	const { body } = response;
	const id = fieldOf(fieldOf(body, 'data'), 'id') ?? fieldOf(body, 'id');
	requireJobId(noun, { ...response, body: { id } }, context.errorSource);
	return recordResult(body, context);
}
