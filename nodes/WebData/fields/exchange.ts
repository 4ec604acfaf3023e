import { stringSchema } from '../../runtime/form/schema';
import { boolean, integer, list, required, oneOf } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';
import { id } from './uuid';

const approvalId = required(
	id({
		displayName: 'Approval ID',
		description: 'The ID under pendingApproval of the run that asked',
	}),
);

/** Paid third-party data sources of an agent run (docs/api-notes.md, Agent). */
export const exchange = object(
	{
		displayName: 'Exchange',
		placeholder: 'Add Setting',
		default: { enabled: true },
		description: 'Use of paid third-party data sources in the run',
	},
	{
		approve: object(
			{
				displayName: 'Approve',
				placeholder: 'Add Setting',
				default: { approvalId: '' },
				description: "Allows the calls that the thread's last run asked for; needs Thread ID",
			},
			{
				always: boolean({
					displayName: 'Always',
					default: true,
					description: 'Whether the thread need not ask again',
				}),
				approvalId,
				callIds: list({
					displayName: 'Call IDs',
					entry: stringSchema(),
					description: 'Comma-separated calls to allow; all when empty',
				}),
			},
		),
		decline: object(
			{
				displayName: 'Decline',
				placeholder: 'Add Setting',
				default: { approvalId: '' },
				description: "Refuses the calls that the thread's last run asked for; needs Thread ID",
			},
			{ approvalId },
		),
		enabled: boolean({
			displayName: 'Enabled',
			description: 'Whether the run may use paid data sources; it may unless told not to',
		}),
		maxCalls: integer({
			displayName: 'Max Calls',
			min: 1,
			max: 30,
			default: 5,
			description: 'Most paid calls of the run, 1 to 30',
		}),
		onTermsRequired: oneOf({
			displayName: 'On Terms Required',
			default: 'skip',
			options: [
				{
					name: 'Ask',
					value: 'ask',
					description: 'The run ends and shows the terms to a person',
				},
				{ name: 'Skip', value: 'skip', description: 'The run goes on without the provider' },
			],
			description:
				"What to do when a provider's terms have not been accepted; this node never accepts any",
		}),
		requireApproval: boolean({
			displayName: 'Require Approval',
			default: true,
			description: 'Whether the run ends before any paid call and asks; needs the mode Chat',
		}),
		toolkits: list({
			displayName: 'Toolkits',
			entry: stringSchema(),
			max: 5,
			description:
				'Comma-separated providers that may be used, up to 5; the whole catalogue when empty',
		}),
	},
	({ approve, decline }, refuse) => {
		if (approve && decline) refuse(`cannot be used together with 'Decline'`, 'approve');
	},
);
