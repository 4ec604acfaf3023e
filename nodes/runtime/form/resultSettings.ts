import type { INodeProperties } from 'n8n-workflow';
import { fromModel } from '../host/tool';
import { boolean, oneOf, string, withDefault, type Choice } from './field';
import { form } from './form';

const wholeResponse = {
	name: 'Whole Response',
	value: 'response',
	description: 'One item with the unmodified response',
} as const;

const perResult = { name: 'One Item per Result', value: 'results' } as const;

const byExample = {
	name: 'Automatic',
	value: 'auto',
	description: 'One item per list entry if the example is a list, otherwise one item per run',
} as const;

const agentOutputs: [Choice<'entries'>, Choice<'result'>, Choice<'response'>] = [
	{
		name: 'One Item per List Entry',
		value: 'entries',
		description: 'Splits the result if it is a list or contains a single list',
	},
	{ name: 'One Item per Run', value: 'result' },
	{ name: 'Whole Response', value: 'response', description: 'The unmodified response' },
];

const passageQueryText =
	'What to find out, with terms that the text is likely to contain. Of a long text, only the parts that match are returned, instead of its beginning. Free.';

const outputAbout = { displayName: 'Output', description: 'What to return as items' };

/** One item per result, or one for the whole response. */
export const [outputField]: INodeProperties[] = form({
	output: oneOf({ ...outputAbout, default: 'results', options: [perResult, wholeResponse] }),
}).fields;

/** The form of a finished agent run's items. */
export const [agentOutputField]: INodeProperties[] = form({
	output: oneOf({ ...outputAbout, default: 'result', options: agentOutputs }),
}).fields;

/** The same for an operation with an example of the result. */
export const [outputByExampleField]: INodeProperties[] = form({
	output: oneOf({ ...outputAbout, default: 'auto', options: [byExample, ...agentOutputs] }),
}).fields;

/** Settings that the editor shows above the groups, each for the operations that have it. */
export const resultSettings = {
	wait: withDefault(
		oneOf({
			displayName: 'Wait for Result',
			default: 'poll',
			options: [
				{ name: 'Do Not Wait', value: 'none', description: 'Returns the job ID immediately' },
				{
					name: 'Poll Until Finished',
					value: 'poll',
					description: 'Checks the job status until it finishes',
				},
				{
					name: 'Suspend Until Webhook',
					value: 'suspend',
					description:
						"Suspends the execution until the webhook event of the last job, if the server can reach n8n. After 'Max Wait', the node polls each job once.",
				},
			],
			description: 'How to wait for the result, which may take minutes or hours',
		}),
		'poll',
	),
	passageQuery: string({
		displayName: 'Passage Query',
		max: 500,
		placeholder: 'e.g. What does a berth cost in winter?',
		displayOptions: { show: { '@tool': [true] } },
		default: fromModel('passageQuery', passageQueryText, ''),
		description: passageQueryText,
	}),
	inputItems: withDefault(
		oneOf({
			displayName: 'Input Items',
			default: 'together',
			options: [
				{ name: 'One Batch for All Items', value: 'together' },
				{ name: 'One Batch per Item', value: 'each' },
			],
			description:
				'Whether to combine the URLs of all input items into one batch. Each output item is linked to its input item.',
		}),
		'together',
	),
	output: withDefault(
		oneOf({
			...outputAbout,
			default: 'results',
			options: [perResult, byExample, ...agentOutputs],
		}),
		'results',
	),
	returnFailed: withDefault(
		boolean({
			displayName: 'Return Failed URLs',
			description:
				'Whether to return an item for each page that failed, is disallowed by robots.txt, or has an invalid URL; its field failed shows which',
		}),
		false,
	),
};

/** The field that returns failed pages, too. */
export const [returnFailedField]: INodeProperties[] = form({
	returnFailed: resultSettings.returnFailed,
}).fields;

/** The question of a tool's call whose request has none. */
export const [passageQueryField]: INodeProperties[] = form({
	passageQuery: resultSettings.passageQuery,
}).fields;
