import type { INodeProperties } from 'n8n-workflow';
import { choice, fields, flag, list, text, wholeNumber } from '../../runtime/contract';
import { uuid } from './uuid';

/** Paid third-party data sources of an agent run (addendum 1, `exchange`; sdk-facts 4.4). */
export const exchangeField: INodeProperties = {
	displayName: 'Exchange',
	name: 'exchange',
	type: 'collection',
	placeholder: 'Add Setting',
	default: { enabled: true },
	description: 'Use of paid third-party data sources in the run',
	options: [
		{
			displayName: 'Approve',
			name: 'approve',
			type: 'collection',
			placeholder: 'Add Setting',
			default: { approvalId: '' },
			description: "Allows the calls that the thread's last run asked for; needs Thread ID",
			options: [
				{
					displayName: 'Always',
					name: 'always',
					type: 'boolean',
					default: true,
					description: 'Whether the thread need not ask again',
				},
				{
					displayName: 'Approval ID',
					name: 'approvalId',
					type: 'string',
					default: '',
					description: 'The ID under pendingApproval of the run that asked',
				},
				{
					displayName: 'Call IDs',
					name: 'callIds',
					type: 'string',
					default: '',
					description: 'Comma-separated calls to allow; all when empty',
				},
			],
		},
		{
			displayName: 'Decline',
			name: 'decline',
			type: 'collection',
			placeholder: 'Add Setting',
			default: { approvalId: '' },
			description: "Refuses the calls that the thread's last run asked for; needs Thread ID",
			options: [
				{
					displayName: 'Approval ID',
					name: 'approvalId',
					type: 'string',
					default: '',
					description: 'The ID under pendingApproval of the run that asked',
				},
			],
		},
		{
			displayName: 'Enabled',
			name: 'enabled',
			type: 'boolean',
			default: false,
			description: 'Whether the run may use paid data sources; it may unless told not to',
		},
		{
			displayName: 'Max Calls',
			name: 'maxCalls',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 30 },
			default: 5,
			description: 'Most paid calls of the run, 1 to 30',
		},
		{
			displayName: 'On Terms Required',
			name: 'onTermsRequired',
			type: 'options',
			default: 'skip',
			options: [
				{ name: 'Ask', value: 'ask', description: 'The run ends and shows the terms to a person' },
				{ name: 'Skip', value: 'skip', description: 'The run goes on without the provider' },
			],
			description:
				"What to do when a provider's terms have not been accepted; this node never accepts any",
		},
		{
			displayName: 'Require Approval',
			name: 'requireApproval',
			type: 'boolean',
			default: true,
			description: 'Whether the run ends before any paid call and asks; needs the mode Chat',
		},
		{
			displayName: 'Toolkits',
			name: 'toolkits',
			type: 'string',
			default: '',
			description:
				'Comma-separated providers that may be used, up to 5; the whole catalogue when empty',
		},
	],
};

export const exchange = () =>
	fields(
		{
			enabled: flag().optional(),
			toolkits: list(text(), { max: 5 }).optional(),
			maxCalls: wholeNumber({ min: 1, max: 30 }).optional(),
			requireApproval: flag().optional(),
			onTermsRequired: choice('skip', 'ask').optional(),
			approve: fields({
				approvalId: uuid(),
				callIds: list(text()).optional(),
				always: flag().optional(),
			}).optional(),
			decline: fields({ approvalId: uuid() }).optional(),
		},
		({ approve, decline }, refuse) => {
			if (approve && decline) refuse(`cannot be used together with 'Decline'`, 'approve');
		},
	);
