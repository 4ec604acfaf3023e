import { stringSchema } from '../../../runtime/form/schema';
import { boolean, list, string } from '../../../runtime/form/field';
import { object } from '../../../runtime/form/form';

const email = object(
	{
		displayName: 'Email',
		placeholder: 'Add Setting',
		default: { enabled: true },
		description: 'Summary of each check with changes',
	},
	{
		enabled: boolean({
			displayName: 'Enabled',
			default: true,
			description: 'Whether to send emails; none are sent unless this is on',
		}),
		includeDiffs: boolean({
			displayName: 'Include Diffs',
			default: true,
			description: 'Whether the emails show what changed',
		}),
		recipients: list({
			displayName: 'Recipients',
			entry: stringSchema(),
			max: 25,
			placeholder: 'e.g. ada@example.com, bob@example.com',
			description:
				"Comma-separated addresses, up to 25; people outside the service's team must confirm first",
		}),
	},
);

const slack = object(
	{
		displayName: 'Slack',
		placeholder: 'Add Setting',
		default: { enabled: true },
		description: 'Messages in a channel of the Slack workspace that the team has connected',
	},
	{
		channelId: string({
			displayName: 'Channel ID',
			placeholder: 'e.g. C024BE91L',
			description: "Slack's ID of the channel; needed to send messages",
		}),
		channelName: string({
			displayName: 'Channel Name',
			placeholder: 'e.g. prices',
			description: 'Name of the channel as the service shows it',
		}),
		enabled: boolean({
			displayName: 'Enabled',
			default: true,
			description: 'Whether to send messages',
		}),
	},
	({ enabled, channelId }, refuse) => {
		if (enabled && channelId === undefined) refuse('is required', 'channelId');
	},
);

/** Whom the service tells about changes by itself; `more` goes on in the description. */
export const notification = (more = '') =>
	object(
		{
			displayName: 'Notification',
			placeholder: 'Add Channel',
			default: { email: { enabled: true } },
			description: `Whom the service tells about changes by itself${more}`,
		},
		{ email, slack },
	);
