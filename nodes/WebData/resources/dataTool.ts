import { randomUUID } from 'node:crypto';
import { z } from 'zod/v3';
import { adviceFor } from '../../runtime/errors/advice';
import { operationError } from '../../runtime/errors/webDataError';
import { codeOf, type Failure } from '../../runtime/errors/response';
import { integer, jsonField, required, string } from '../../runtime/form/field';
import { additionalFields, form } from '../../runtime/form/form';
import { settingsFields } from '../../runtime/form/settings';
import {
	jsonObject,
	listSchema,
	objectSchema,
	preview,
	stringSchema,
	ValidationFailure,
} from '../../runtime/form/schema';
import { operation, type ReadContext, type Resource, type Result } from '../../runtime/operation';
import { missingInPaidResponse, asRecord, label, without } from '../../runtime/execution/results';
import { fromJson } from '../../runtime/values/json';
import { fieldOf, isRecord } from '../../runtime/values/record';
import type { Request } from '../../runtime/http/client';
import { scrapePage } from '../fields/common';

/** The service's timeout of tools, in milliseconds. */
const longestTime = 50_000;

const longestOptions = 256 * 1024;

const name = () => stringSchema({ max: 200, normalize: (value) => value.trim() });

/** A call of a tool. Accepting a provider's terms is a legal act of a person. */
const call = objectSchema(
	{
		provider: name(),
		capability: name(),
		version: stringSchema({ max: 128, normalize: (value) => value.trim() }).optional(),
		options: jsonObject().optional(),
	},
	({ provider, capability, options = {} }, reject) => {
		if (`${provider}/${capability}`.toLowerCase() === 'firecrawl/terms/accept') {
			reject(`must not accept a provider's terms: this requires a person`);
		}
		if (Buffer.byteLength(JSON.stringify(options)) > longestOptions) {
			reject('must be at most 256 KB', 'options');
		}
	},
);

type DataToolCall = z.output<typeof call>;

/** The call of a tool as a search returns it, whose `options` are a list that describes them. */
function asCall(entry: unknown): unknown {
	if (!isRecord(entry)) return entry;
	const { execute, options } = entry;
	if (!['execute', 'description', 'name', 'id'].some((key) => key in entry)) return entry;
	const { provider, capability } = { ...entry, ...(isRecord(execute) && execute) };
	return { provider, capability, ...(isRecord(fromJson(options)) && { options }) };
}

/** 1 to 10 calls: a list, or a single one. */
const calls = z.preprocess(
	(value) => {
		const given = fromJson(value);
		return isRecord(given) ? [given] : given;
	},
	listSchema(z.preprocess(asCall, call), { min: 1, max: 10 }),
);

const request = form({
	calls: required(
		jsonField(
			'Calls',
			'1 to 10 calls of tools, which a search with the source Tool Catalogue finds',
			calls,
			{
				default: '[]',
				hint: 'e.g. [{"provider": "tidewatch", "capability": "tide-times", "options": {"harbour": "Husum"}}]',
			},
		),
	),
	...additionalFields({
		requestId: string(
			'Request ID',
			'Idempotency key, unique per item: for 7 days, the same calls with it are charged once',
			{
				normalize: (value) =>
					/^[\w.:-]{1,128}$/.test(value.trim())
						? value.trim()
						: new ValidationFailure(
								`must be 1 to 128 letters, digits or any of . _ : -, not ${preview(value)}`,
							),
				placeholder: 'e.g. order-4711',
			},
		),
		timeout: integer('Timeout', 'Max time for all calls, in milliseconds, up to 50,000', {
			min: 1,
			max: longestTime,
			unit: 'milliseconds',
			default: longestTime,
		}),
	}),
});

/** Advice to get the stored response of a request without another charge. */
const storedResponse = (requestId: string) =>
	`The response is retained for 7 days: the same calls with the 'Request ID' ${requestId} return it without another charge.`;

const unknownTool =
	'Check provider and capability: a search with the source Tool Catalogue finds tools.';

/** The error of one call, inside a response with status 200. */
function errorOf(result: unknown): { message: string; advice: string } | undefined {
	const error = fieldOf(result, 'error');
	if (!isRecord(error)) {
		return typeof error === 'string' && error !== '' ? { message: error, advice: '' } : undefined;
	}
	const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
	const code = text(error.code);
	const message = text(error.message) ?? 'The server returned no reason';
	const charge = text(error.chargeId);
	const terms = text(fieldOf(error.requiresAction, 'url'));
	const status = typeof error.status === 'number' ? error.status : 200;
	const body = { success: false, code, error: message };
	const details = [
		terms === undefined ? '' : `; terms: ${terms}`,
		charge === undefined ? '' : `; charged anyway (charge ${charge})`,
	];
	return {
		message: `${message}${code === undefined ? '' : ` (${code})`}${details.join('')}`,
		// For a call, 404 means an unknown tool, under any code of its provider.
		advice: status === 404 ? unknownTool : adviceFor({ status, headers: {}, body }),
	};
}

/**
 * An item for each call, a failed one with its error under `failed`, and the first with the response's
 * other fields under `request`.
 * @throws WebDataError if the response has no results, or if every call failed
 */
function callResults(body: unknown, sent: DataToolCall[], requestId: string, context: ReadContext) {
	const payload = asRecord(body);
	const data = fieldOf(body, 'data');
	if (data === undefined || data === null) {
		const stored = storedResponse(requestId);
		throw missingInPaidResponse('results', body, context.errorSource, stored);
	}
	const given = fieldOf(data, 'alexandria');
	const results: unknown[] = Array.isArray(given) ? given : [];
	const toolOf = (index: number) => {
		const { provider, capability } = sent.at(index) ?? {};
		return { provider, capability };
	};
	const failures = results.flatMap((result, index) => {
		const error = errorOf(result);
		const { provider, capability } = toolOf(index);
		return error ? [{ ...error, message: `${provider}/${capability}: ${error.message}` }] : [];
	});
	const message = failures.map((failure) => failure.message).join('; ');
	if (results.length > 0 && failures.length === results.length) {
		const advice = new Set(failures.map((failure) => failure.advice));
		throw operationError(message, [...advice].join(' '), context.errorSource);
	}
	if (failures.length > 0) {
		context.notice(
			`Item ${context.errorSource.itemIndex}: ${failures.length} of ${results.length} calls have no result. ${message}`,
		);
	}
	// A response of another form is paid for, too.
	if (context.settings.output === 'raw' || results.length === 0)
		return [{ json: label(payload, { requestId }) }];
	const request = {
		...without(payload, 'data', 'success'),
		...without(asRecord(data), 'alexandria'),
		requestId,
	};
	return results.map((result, index): Result => {
		// A first item with `error` would be repeated by n8n's Retry On Fail.
		const { error: failed, ...record } = asRecord(result);
		const json = { ...toolOf(index), ...record, ...(failed !== undefined && { failed }) };
		return { json: label(json, { position: index + 1, ...(index === 0 && { request }) }) };
	});
}

/** Whether a failure leaves the outcome unclear: no response, a timeout, in flight, a server error. */
function isUnclear(failure: Failure): boolean {
	if ('networkError' in failure) return true;
	const { status, body } = failure.response;
	return status === 408 || status < 400 || status >= 500 || codeOf(body) === 'request_in_flight';
}

/** Explains a failed request of this ID. */
const explainFor =
	(requestId: string): Request['explain'] =>
	(failure) => {
		if ('response' in failure && failure.response.status === 404) return { advice: unknownTool };
		return isUnclear(failure) ? { also: storedResponse(requestId) } : undefined;
	};

/** POST /scrape with `alexandria`. The request ID makes retries safe. */
export const execute = operation({
	name: 'Execute',
	value: 'execute',
	action: 'Run data tools',
	description:
		'Runs 1 to 10 data tools of the catalogue and returns the data of each, one item per call. Each tool has its own price in credits. Requires an API key.',
	costs: "each tool's own price, in the results of a search for tools",
	request,
	settings: settingsFields('output', 'maxCreditsPerExecution', 'maxRetryTime'),
	async run({ calls: sent, requestId: own, timeout }, context) {
		const requestId = own ?? randomUUID();
		const headers = { 'x-request-id': requestId };
		const { body } = await context.send({
			endpoint: scrapePage,
			body: { alexandria: sent, ...(timeout !== undefined && { timeout }) },
			headers,
			// An attempt by n8n's Retry On Fail would have another ID, unless it is the user's.
			...(own === undefined && { freshHeaders: () => headers }),
			serviceTimeout: timeout ?? longestTime,
			explain: explainFor(requestId),
			retrySafety: 'idempotencyKey',
			price: 0,
		});
		return callResults(body, sent, requestId, context);
	},
});

export const tool: Resource = { name: 'Data Tool', value: 'tool', operations: [execute] };
