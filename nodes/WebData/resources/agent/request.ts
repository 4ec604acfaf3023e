import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import type { Request } from '../../../runtime/client';
import { choice, fields, flag, membersOf, text, wholeNumber } from '../../../runtime/contract';
import { activityOf } from '../../../runtime/findStarted';
import type { Values } from '../../../runtime/operation';
import { auditMetadata, auditMetadataField } from '../../fields/auditMetadata';
import { callerMembers } from '../../fields/caller';
import { exchange, exchangeField } from '../../fields/exchange';
import { isStartExample, jsonSchema, jsonSchemaFields, withSchema } from '../../fields/jsonSchema';
import { requestJsonField, withRequestJson } from '../../fields/requestJson';
import { threatProtection, threatProtectionField } from '../../fields/threatProtection';
import { urls } from '../../fields/url';
import { uuid } from '../../fields/uuid';
import { webhook, webhookField } from '../../fields/webhook';

const webhookEvents = [
	{ name: 'Action', value: 'action' },
	{ name: 'Cancelled', value: 'cancelled' },
	{ name: 'Completed', value: 'completed' },
	{ name: 'Failed', value: 'failed' },
	{ name: 'Started', value: 'started' },
];

/** What an agent run is asked (addendum 1, POST /agent). */
export const agentRequestFields: INodeProperties[] = [
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. Find the founders of these companies and the year of foundation',
		description: 'What to find, in plain words, up to 10,000 characters',
	},
	...jsonSchemaFields('', 'Until it is changed, the agent gives its answer a shape of its own'),
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			auditMetadataField,
			{
				displayName: 'Effort',
				name: 'effort',
				type: 'options',
				default: 'medium',
				options: [
					{ name: 'High', value: 'high' },
					{ name: 'Low', value: 'low' },
					{ name: 'Medium', value: 'medium' },
				],
				description: 'How thoroughly to work; more effort costs more credits',
			},
			exchangeField,
			{
				displayName: 'Max Credits',
				name: 'maxCredits',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 500,
				description:
					'Most credits that the run may cost; the service stops at 2,500 unless told otherwise',
			},
			{
				displayName: 'Mode',
				name: 'mode',
				type: 'options',
				default: 'extract',
				options: [
					{ name: 'Chat', value: 'chat', description: 'Answers in words, under message' },
					{ name: 'Extract', value: 'extract', description: 'Answers with data' },
				],
				description: 'What kind of answer is wanted',
			},
			{
				displayName: 'Model',
				name: 'model',
				type: 'string',
				default: '',
				placeholder: 'e.g. spark-2',
				description: "Name of the model, for special cases; the service's own when empty",
			},
			{
				displayName: 'Only These URLs',
				name: 'strictConstrainToURLs',
				type: 'boolean',
				default: true,
				description: 'Whether to visit nothing but the given URLs',
			},
			requestJsonField,
			{
				displayName: 'Thread ID',
				name: 'threadId',
				type: 'string',
				default: '',
				description:
					'Thread of an earlier run to go on with; what is left out here is taken from it',
			},
			threatProtectionField,
			{
				displayName: 'URLs',
				name: 'urls',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://example.com/team',
				description:
					'Comma-separated addresses to start from; the agent searches by itself when empty',
			},
			webhookField(webhookEvents),
		],
	},
];

const request = fields(
	{
		prompt: text({ max: 10_000 }),
		...callerMembers,
		urls: urls().optional(),
		schema: jsonSchema('agent').optional(),
		maxCredits: wholeNumber({ min: 1 }).optional(),
		strictConstrainToURLs: flag().optional(),
		effort: choice('low', 'medium', 'high').optional(),
		model: text().optional(),
		threadId: uuid().optional(),
		mode: choice('extract', 'chat').optional(),
		exchange: exchange().optional(),
		webhook: webhook('started', 'action', 'completed', 'failed', 'cancelled').optional(),
		threatProtection: threatProtection().optional(),
		auditMetadata: auditMetadata().optional(),
	},
	({ exchange: paid, threadId, mode, strictConstrainToURLs, urls }, refuse) => {
		if (paid?.approve && threadId === undefined) refuse(`needs 'Thread ID'`, 'exchange', 'approve');
		if (paid?.decline && threadId === undefined) refuse(`needs 'Thread ID'`, 'exchange', 'decline');
		if (paid?.requireApproval && mode !== 'chat') {
			refuse(`needs the mode Chat`, 'exchange', 'requireApproval');
		}
		if (strictConstrainToURLs && !urls?.length && threadId === undefined) {
			refuse(`needs 'URLs'`, 'strictConstrainToURLs');
		}
	},
);

/** The body of POST /agent. */
export const agentRequest = withSchema(withRequestJson(request));

/** Puts the parameters together as the body of POST /agent. */
export const readAgentRequest = (values: Values) => ({
	prompt: values.prompt,
	schemaType: values.schemaType,
	schema: values.schema,
	schemaExample: isStartExample(values.schemaExample) ? undefined : values.schemaExample,
	...membersOf(values.additionalFields),
});

/** Where the service stops a run that was given no limit, in credits. */
const usualMaxCredits = 2500;

const agentLists = [{ path: '/agent', entries: 'agents' }, activityOf('agent')];

/** POST /agent. */
export const agentStart = (body: z.output<typeof request>): Request => ({
	method: 'POST',
	path: '/agent',
	body,
	cost: 'paid start',
	traces: { lists: agentLists, targets: [body.prompt] },
	price: body.maxCredits ?? usualMaxCredits,
});
