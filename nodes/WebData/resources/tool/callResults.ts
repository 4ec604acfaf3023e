import type { IDataObject } from 'n8n-workflow';
import { addAdvice, operationError } from '../../../runtime/api/errors';
import type { ReadContext, Result } from '../../../runtime/operation/operation';
import { missingInPaidResponse } from '../../../runtime/output/paidResponse';
import { pluralize } from '../../../runtime/values/text';
import { fieldOf } from '../../../runtime/values/record';
import { asRecord, label, without } from '../../../runtime/output/results';
import type { ToolCall } from './call';
import { errorOf, messageOf } from './callError';
import { forUser } from '../../../runtime/api/sentence';

/** A request and its output options. */
export interface Executed {
	calls: ToolCall[];
	requestId: string;
	output: unknown;
	onFailedCall: 'error' | 'item';
}

/** Advice to get the stored response of a request without another charge. */
export const storedResponseAdvice = (requestId: string) =>
	forUser(
		`The response is retained for 7 days: the same calls with the 'Request ID' ${requestId} return it without another charge.`,
	);

/** Describes the failed calls, each with its tool. */
function failures(results: unknown[], calls: ToolCall[]) {
	return results.flatMap((result, index) => {
		const error = errorOf(result);
		if (!error) return [];
		const sent = calls.at(index);
		const tool = sent ? `${sent.provider}/${sent.capability}` : `Call ${index + 1}`;
		const { message, advice } = messageOf(error);
		return [{ message: `${tool}: ${message}`, advice }];
	});
}

/**
 * Turns each call into an item, failed or not, with the response's other fields under `request`.
 * @throws NodeOperationError if there are none, or if a call failed and the user chose an error
 */
export function callResults(
	body: IDataObject,
	{ calls, requestId, output, onFailedCall }: Executed,
	context: ReadContext,
): Result[] {
	const found = fieldOf(body.data, 'alexandria');
	const results: unknown[] = Array.isArray(found) ? found : [];
	if (body.data === undefined || body.data === null) {
		const error = missingInPaidResponse('results', body, context.errorSource);
		addAdvice(error, [storedResponseAdvice(requestId)]);
		throw error;
	}
	const failed = failures(results, calls);
	if (failed.length > 0) {
		const share =
			results.length === 1 ? '' : `${failed.length} of ${results.length} calls failed. `;
		const message = share + failed.map((failure) => failure.message).join('; ');
		if (onFailedCall === 'error') {
			const sentences = failed.flatMap((failure) => failure.advice);
			const advice = new Map(sentences.map((sentence) => [sentence.text, sentence])).values();
			const rest = results.length === 1 ? [] : [storedResponseAdvice(requestId)];
			const own = `${failed.length} of ${pluralize(results.length, 'call')} failed`;
			throw operationError({ text: message, own }, [...advice, ...rest], context.errorSource);
		}
		context.notice(`Item ${context.errorSource.itemIndex}: ${message}`);
	}
	// A response of another form is paid for, too.
	if (output === 'response' || results.length === 0) return [{ json: label(body, { requestId }) }];
	const request = {
		...without(body, 'data', 'success'),
		...without(asRecord(body.data ?? {}), 'alexandria'),
		requestId,
	};
	return results.map((result, index) => {
		const { provider, capability } = calls.at(index) ?? {};
		const record = { provider, capability, ...asRecord(result) };
		return { json: label(record, { position: index + 1, request }) };
	});
}
