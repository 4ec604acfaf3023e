import { stringSchema } from '../../runtime/form/schema';
import { boolean, integer, list, required, oneOf } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';
import { id } from './ids';

const approvalId = required(
	id({
		displayName: 'Approval ID',
		description: 'The pendingApproval ID of the run that requested approval',
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
				description: "Approves the calls that the thread's last run requested; requires Thread ID",
			},
			{
				always: boolean({
					displayName: 'Always',
					default: true,
					description: 'Whether to approve future calls in this thread',
				}),
				approvalId,
				callIds: list({
					displayName: 'Call IDs',
					entry: stringSchema(),
					description: 'Comma-separated calls to approve; all if empty',
				}),
			},
		),
		decline: object(
			{
				displayName: 'Decline',
				placeholder: 'Add Setting',
				default: { approvalId: '' },
				description: "Declines the calls that the thread's last run requested; requires Thread ID",
			},
			{ approvalId },
		),
		enabled: boolean({
			displayName: 'Enabled',
			description: 'Whether the run may use paid data sources. Enabled by default.',
		}),
		maxCalls: integer({
			displayName: 'Max Calls',
			min: 1,
			max: 30,
			default: 5,
			description: 'Max number of paid calls in the run, 1 to 30',
		}),
		onTermsRequired: oneOf({
			displayName: 'On Terms Required',
			default: 'skip',
			options: [
				{
					name: 'Ask',
					value: 'ask',
					description: 'Ends the run and returns the terms for a person to accept',
				},
				{ name: 'Skip', value: 'skip', description: 'Continues the run without the provider' },
			],
			description:
				"What to do if a provider's terms have not been accepted; this node never accepts terms",
		}),
		requireApproval: boolean({
			displayName: 'Require Approval',
			default: true,
			description:
				'Whether the run ends before any paid call to request approval; requires the mode Chat',
		}),
		toolkits: list({
			displayName: 'Toolkits',
			entry: stringSchema(),
			max: 5,
			description: 'Comma-separated providers to allow, up to 5; all if empty',
		}),
	},
	({ approve, decline }, reject) => {
		if (approve && decline) reject(`cannot be used together with 'Decline'`, 'approve');
	},
);
