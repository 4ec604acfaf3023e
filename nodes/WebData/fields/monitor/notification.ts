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
			description: 'Whether to send emails. Disabled by default.',
		}),
		includeDiffs: boolean({
			displayName: 'Include Diffs',
			default: true,
			description: 'Whether to include the changes in emails',
		}),
		recipients: list({
			displayName: 'Recipients',
			entry: stringSchema(),
			max: 25,
			placeholder: 'e.g. ada@example.com, bob@example.com',
			description:
				'Comma-separated email addresses, up to 25; recipients outside the team must confirm first',
		}),
	},
);

const slack = object(
	{
		displayName: 'Slack',
		placeholder: 'Add Setting',
		default: { enabled: true },
		description: "Messages to a channel of the team's connected Slack workspace",
	},
	{
		channelId: string({
			displayName: 'Channel ID',
			placeholder: 'e.g. C024BE91L',
			description: 'Slack channel ID; required to send messages',
		}),
		channelName: string({
			displayName: 'Channel Name',
			placeholder: 'e.g. prices',
			description: 'Display name of the channel',
		}),
		enabled: boolean({
			displayName: 'Enabled',
			default: true,
			description: 'Whether to send messages',
		}),
	},
	({ enabled, channelId }, reject) => {
		if (enabled && channelId === undefined) reject('is required', 'channelId');
	},
);

/** The recipients whom the service notifies of changes; `more` is appended to the description. */
export const notification = (more = '') =>
	object(
		{
			displayName: 'Notification',
			placeholder: 'Add Channel',
			default: { email: { enabled: true } },
			description: `Who Firecrawl notifies about changes${more}`,
		},
		{ email, slack },
	);
