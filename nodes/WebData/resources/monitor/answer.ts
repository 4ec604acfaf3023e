import type { IDataObject } from 'n8n-workflow';
import type { Call, Result } from '../../../runtime/operation';
import { aboutRequest, asRecord, label, noticesIn } from '../../../runtime/results';

/** The one record of an answer, with what the answer says beside it under `request`. */
export function recordResult(body: unknown, call: Call): Result {
	const answer = asRecord(body);
	noticesIn(answer).forEach(call.notice);
	const { id, ...request }: IDataObject = aboutRequest(answer);
	const record = asRecord(answer.data ?? {});
	return { json: label({ ...(id !== undefined && { id }), ...record }, { request }) };
}
