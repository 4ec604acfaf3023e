import { randomUUID } from 'node:crypto';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import {
	choice,
	fields,
	membersOf,
	Refusal,
	shown,
	text,
	wholeNumber,
} from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { sendReworded } from '../../../runtime/sendReworded';
import { settingsFields } from '../../../runtime/settings';
import { outputField } from '../../fields/output';
import { pickedTool, toolCalls, toolVersion } from './call';
import { callResults, storedAnswer } from './callResults';
import { longestToolTime } from './catalogue';
import { mappedOptions } from './mappedOptions';
import { priceOfCalls, withoutPrice } from './prices';

const requestId = () =>
	text({
		mend: (value) => {
			const id = value.trim();
			return /^[A-Za-z0-9._:-]{1,128}$/.test(id)
				? id
				: new Refusal(`must be 1 to 128 letters, digits or any of . _ : -, not ${shown(id)}`);
		},
	});

const contract = fields(
	{
		callsFrom: choice('tool', 'list'),
		tool: pickedTool().optional(),
		toolOptions: mappedOptions().optional(),
		version: toolVersion().optional(),
		calls: toolCalls().optional(),
		onFailedCall: choice('error', 'item').default('item'),
		requestId: requestId().optional(),
		timeout: wholeNumber({ min: 1, max: longestToolTime, unit: 'milliseconds' }).optional(),
	},
	({ callsFrom, tool, calls }, refuse) => {
		if (callsFrom === 'tool' && tool === undefined) refuse('is required', 'tool');
		if (callsFrom === 'list' && calls === undefined) refuse('is required', 'calls');
	},
);

/** Whether a refusal leaves open what became of the request: no answer, time over, still in flight, or the service's failure. */
const isUncertain = ({ httpCode, message }: NodeApiError) =>
	!/^4(?!08)/.test(httpCode ?? '') || message.includes('request_in_flight');

/** POST /scrape with `alexandria` (addendum 13). The request ID makes every repeat safe. */
export const execute = operation({
	name: 'Execute',
	value: 'execute',
	action: 'Run data tools',
	description:
		'Runs 1 to 10 data tools of the catalogue and returns the data of each, one item per call. Find tells what each tool takes and how many credits it costs. Needs an API key.',
	fields: [
		{
			displayName: 'Calls From',
			name: 'callsFrom',
			type: 'options',
			default: 'tool',
			options: [
				{
					name: 'List of Calls',
					value: 'list',
					description: 'Up to 10 calls as JSON, or tools as Find and Search return them',
				},
				{
					name: 'One Tool',
					value: 'tool',
					description: 'Picked here, with fields for its options',
				},
			],
			description: 'How to say what to run',
		},
		{
			displayName: 'Tool',
			name: 'tool',
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			displayOptions: { show: { callsFrom: ['tool'] } },
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'Select a tool...',
					typeOptions: { searchListMethod: 'searchTools', searchable: true },
				},
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: 'e.g. tidewatch/tide-times',
				},
			],
			description: 'The tool to run, by provider and capability',
		},
		{
			displayName: 'Tool Options',
			name: 'toolOptions',
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			displayOptions: { show: { callsFrom: ['tool'] } },
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
			description: 'What the tool is asked; empty options are not sent',
		},
		{
			displayName: 'Calls',
			name: 'calls',
			type: 'json',
			required: true,
			default: '[]',
			displayOptions: { show: { callsFrom: ['list'] } },
			description:
				'1 to 10 calls such as [{"provider": "tidewatch", "capability": "tide-times", "options": {"harbour": "Husum"}}]. By expression also tools as Find and Search return them, with options set to what to ask: their own list of options is not sent.',
		},
		{
			displayName: 'On Failed Call',
			name: 'onFailedCall',
			type: 'options',
			default: 'item',
			options: [
				{
					name: 'Return an Item',
					value: 'item',
					description: "With the call's error under error, beside the items of the other calls",
				},
				{ name: 'Throw an Error', value: 'error' },
			],
			description: 'What to do when a call fails while the request as a whole succeeds',
		},
		outputField,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Request ID',
					name: 'requestId',
					type: 'string',
					default: '',
					placeholder: 'e.g. order-4711',
					description:
						'Name of this request, other for every item. The same calls under the same name return the stored answer for 7 days and are charged once. Made by the node when empty.',
				},
				{
					displayName: 'Timeout',
					name: 'timeout',
					type: 'number',
					typeOptions: { minValue: 1, maxValue: longestToolTime },
					default: longestToolTime,
					description: 'Longest time for all calls, in milliseconds, up to 50,000',
				},
				{
					displayName: 'Version',
					name: 'version',
					type: 'string',
					default: '',
					displayOptions: { show: { '/callsFrom': ['tool'] } },
					placeholder: 'e.g. 1.4.0',
					description: 'Published version of the tool to stay on; the newest when empty',
				},
			],
		},
		...settingsFields({ sends: true }),
	],
	costs: "each tool's own price, as Find shows it",
	contract,
	read: ({ callsFrom, tool, toolOptions, calls, onFailedCall, additionalFields }) => ({
		callsFrom,
		...(callsFrom === 'list' ? { calls } : { tool, toolOptions }),
		onFailedCall,
		...membersOf(additionalFields),
	}),
	async run(body, { output }, call) {
		const { tool, toolOptions, version, onFailedCall, timeout } = body;
		const picked = tool && {
			...tool,
			...(version !== undefined && { version }),
			...(toolOptions !== undefined && { options: toolOptions }),
		};
		const calls = picked ? [picked] : (body.calls ?? []);
		const id = body.requestId ?? randomUUID();
		const price = await priceOfCalls(calls, call);
		const request = {
			method: 'POST',
			path: '/scrape',
			body: { alexandria: calls.map(withoutPrice), ...(timeout !== undefined && { timeout }) },
			headers: { 'x-request-id': id },
			serviceTimeout: timeout ?? longestToolTime,
			cost: 'keyed start',
			price,
		} as const;
		const answer = await sendReworded(request, call, (error) => {
			if (!isUncertain(error)) return;
			error.description = [error.description, storedAnswer(id)].filter(Boolean).join(' ');
		});
		const executed = { calls, requestId: id, output, onFailedCall };
		return callResults(answer.body as IDataObject, executed, call);
	},
});
