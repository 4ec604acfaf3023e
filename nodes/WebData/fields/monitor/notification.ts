import type { INodeProperties } from 'n8n-workflow';
import { fields, flag, list, Refusal, shown, text } from '../../../runtime/contract';

/** Whom the service tells about changes by itself (addendum 10, `notification`). */
export const notificationField: INodeProperties = {
	displayName: 'Notification',
	name: 'notification',
	type: 'collection',
	placeholder: 'Add Channel',
	default: { email: { enabled: true } },
	description: 'Whom the service tells about changes by itself',
	options: [
		{
			displayName: 'Email',
			name: 'email',
			type: 'collection',
			placeholder: 'Add Setting',
			default: { enabled: true },
			description: 'Summary of each check with changes',
			options: [
				{
					displayName: 'Enabled',
					name: 'enabled',
					type: 'boolean',
					default: true,
					description: 'Whether to send emails; none are sent unless this is on',
				},
				{
					displayName: 'Include Diffs',
					name: 'includeDiffs',
					type: 'boolean',
					default: true,
					description: 'Whether the emails show what changed',
				},
				{
					displayName: 'Recipients',
					name: 'recipients',
					type: 'string',
					default: '',
					placeholder: 'e.g. ada@example.com, bob@example.com',
					description:
						"Comma-separated addresses, up to 25; people outside the service's team must confirm first",
				},
			],
		},
		{
			displayName: 'Slack',
			name: 'slack',
			type: 'collection',
			placeholder: 'Add Setting',
			default: { enabled: true },
			description: 'Messages in a channel of the Slack workspace that the team has connected',
			options: [
				{
					displayName: 'Channel ID',
					name: 'channelId',
					type: 'string',
					default: '',
					placeholder: 'e.g. C024BE91L',
					description: "Slack's ID of the channel; needed to send messages",
				},
				{
					displayName: 'Channel Name',
					name: 'channelName',
					type: 'string',
					default: '',
					placeholder: 'e.g. prices',
					description: 'Name of the channel as the service shows it',
				},
				{
					displayName: 'Enabled',
					name: 'enabled',
					type: 'boolean',
					default: true,
					description: 'Whether to send messages',
				},
			],
		},
	],
};

function mendAddress(value: string): string | Refusal {
	const address = value.trim();
	return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(address)
		? address
		: new Refusal(`must be an email address such as ada@example.com, not ${shown(address)}`);
}

export const notification = () =>
	fields({
		email: fields({
			enabled: flag().optional(),
			recipients: list(text({ mend: mendAddress }), { max: 25 }).optional(),
			includeDiffs: flag().optional(),
		}).optional(),
		slack: fields(
			{
				enabled: flag().optional(),
				channelId: text().optional(),
				channelName: text().optional(),
			},
			({ enabled, channelId }, refuse) => {
				if (enabled && channelId === undefined) refuse('is required', 'channelId');
			},
		).optional(),
	});
