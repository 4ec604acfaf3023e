import { addAdvice } from '../../../runtime/api/errors';
import { randomUUID } from 'node:crypto';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { ValidationFailure, preview } from '../../../runtime/form/schema';
import {
	editorOnly,
	field,
	integer,
	oneOf,
	onlyFor,
	required,
	requiredFor,
	string,
	withDefault,
} from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { sendReworded } from '../../../runtime/jobs/sendReworded';
import { settingsFields } from '../../../runtime/form/options';
import { outputField } from '../../../runtime/form/resultSettings';
import { picked } from '../../fields/picked';
import { scrapePage } from '../../fields/sharedEndpoints';
import { pickedTool, toolCalls, toolVersion } from './call';
import { callResults, storedResponseAdvice } from './callResults';
import { longestToolTime } from './catalogue';
import { mappedOptions } from './mappedOptions';
import { priceOfCalls, withoutPrice } from './prices';

function normalizeRequestId(value: string): string | ValidationFailure {
	const id = value.trim();
	return /^[A-Za-z0-9._:-]{1,128}$/.test(id)
		? id
		: new ValidationFailure(
				`must be 1 to 128 letters, digits or any of . _ : -, not ${preview(id)}`,
			);
}

/** The tool. The node registers `searchTools` for its list. */
const tool = picked(
	{
		displayName: 'Tool',
		description: 'Tool to run, by provider and capability',
		select: 'Select a tool...',
		searchListMethod: 'searchTools',
		exampleId: 'e.g. tidewatch/tide-times',
	},
	pickedTool(),
);

/** The tool's options. The node registers `getToolOptions` for their fields. */
const toolOptions = field(
	{
		displayName: 'Tool Options',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: ['tool.value'],
			resourceMapper: {
				resourceMapperMethod: 'getToolOptions',
				mode: 'add',
				fieldWords: { singular: 'option', plural: 'options' },
				addAllFields: true,
				supportAutoMap: false,
			},
		},
		description: 'Options of the tool; empty options are not sent',
	},
	mappedOptions(),
);

const calls = field(
	{
		displayName: 'Calls',
		type: 'json',
		default: '[]',
		description:
			'1 to 10 calls such as [{"provider": "tidewatch", "capability": "tide-times", "options": {"harbour": "Husum"}}]. Expressions can also return tools from Find and Search, with options set to values.',
	},
	toolCalls(),
);

const request = form({
	callsFrom: required(
		oneOf({
			displayName: 'Calls From',
			default: 'tool',
			options: [
				{
					name: 'List of Calls',
					value: 'list',
					description: 'Up to 10 calls as JSON, or tools returned by Find and Search',
				},
				{
					name: 'One Tool',
					value: 'tool',
					description: 'Picked from the list, with fields for its options',
				},
			],
			description: 'How to specify the calls',
		}),
	),
	tool: requiredFor('callsFrom', 'tool', tool),
	toolOptions: onlyFor('callsFrom', 'tool', toolOptions),
	calls: requiredFor('callsFrom', 'list', calls),
	onFailedCall: withDefault(
		oneOf({
			displayName: 'On Failed Call',
			default: 'item',
			options: [
				{
					name: 'Return an Item',
					value: 'item',
					description: "With the call's error under error, next to the items of the other calls",
				},
				{ name: 'Throw an Error', value: 'error' },
			],
			description: 'What to do when a call fails but the request succeeds',
		}),
		'item',
	),
	...additionalFields({
		requestId: string({
			displayName: 'Request ID',
			normalize: normalizeRequestId,
			placeholder: 'e.g. order-4711',
			description:
				'Idempotency key for this request; must be unique per item. The same calls with the same key return the stored response for 7 days and are charged once. Generated if empty.',
		}),
		timeout: integer({
			displayName: 'Timeout',
			min: 1,
			max: longestToolTime,
			unit: 'milliseconds',
			default: longestToolTime,
			description: 'Max time for all calls, in milliseconds, up to 50,000',
		}),
		version: field(
			{
				displayName: 'Version',
				type: 'string',
				default: '',
				displayOptions: { show: { '/callsFrom': ['tool'] } },
				placeholder: 'e.g. 1.4.0',
				description: 'Published version of the tool to use; the latest if empty',
			},
			toolVersion(),
		),
	}),
	output: editorOnly({ property: outputField }),
});

/**
 * Whether an error leaves the request's outcome unclear: no response, a timeout, a request in
 * flight, or a server error.
 */
const isUncertain = ({ httpCode, message }: NodeApiError) =>
	!/^4(?!08)/.test(httpCode ?? '') || message.includes('request_in_flight');

/** POST /scrape with `alexandria`. The request ID makes retries safe. */
export const execute = operation({
	name: 'Execute',
	value: 'execute',
	action: 'Run data tools',
	description:
		'Runs 1 to 10 data tools of the catalogue and returns the data of each, one item per call. Each tool has its own price in credits. Requires an API key.',
	costs: "each tool's own price, returned by Find",
	request,
	settings: settingsFields({ sends: true }),
	async run(body, context) {
		const { output } = context.settings;
		const { tool: given, toolOptions: options, version, onFailedCall, timeout } = body;
		const picked = given && {
			...given,
			...(version !== undefined && { version }),
			...(options !== undefined && { options }),
		};
		const requestedCalls = picked ? [picked] : (body.calls ?? []);
		const id = body.requestId ?? randomUUID();
		const price = await priceOfCalls(requestedCalls, context);
		const start = {
			endpoint: scrapePage,
			body: {
				alexandria: requestedCalls.map(withoutPrice),
				...(timeout !== undefined && { timeout }),
			},
			headers: { 'x-request-id': id },
			serviceTimeout: timeout ?? longestToolTime,
			retrySafety: 'idempotencyKey',
			price,
		} as const;
		const response = await sendReworded(start, context, (error) => {
			if (!isUncertain(error)) return;
			addAdvice(error, [storedResponseAdvice(id)]);
		});
		const executed = { calls: requestedCalls, requestId: id, output, onFailedCall };
		return callResults(response.body as IDataObject, executed, context);
	},
});
