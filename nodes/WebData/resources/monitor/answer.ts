import type { IDataObject } from 'n8n-workflow';
import { answeredWithout } from '../../../runtime/api/errors';
import type { Call, Result } from '../../../runtime/operation/operation';
import { isRecord, memberOf } from '../../../runtime/values/record';
import { aboutRequest, asRecord, label, noticesIn } from '../../../runtime/output/results';
import type { ApiResponse } from '../../../runtime/api/retry';
import { requireJobId } from '../../../runtime/http/requireJobId';

/** The one record of an answer, with what the answer says beside it under `request`. @throws NodeOperationError when there is none */
export function recordResult(body: unknown, call: Call): Result {
	const answer = asRecord(body);
	noticesIn(answer).forEach(call.notice);
	const { id, ...request }: IDataObject = aboutRequest(answer);
	const record = asRecord(answer.data ?? {});
	if (id === undefined && !isRecord(answer.data))
		throw answeredWithout('a record', call.errorSource);
	return { json: label({ ...(id !== undefined && { id }), ...record }, { request }) };
}

/** The record of what a request has started. @throws NodeOperationError when it has no ID: what may be running then cannot be found by it */
export function startedResult(noun: string, answer: ApiResponse, call: Call): Result {
	const { body } = answer;
	const id = memberOf(memberOf(body, 'data'), 'id') ?? memberOf(body, 'id');
	requireJobId(noun, { ...answer, body: { id } }, call.errorSource);
	return recordResult(body, call);
}
