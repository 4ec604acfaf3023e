import { cronNodeOptions, type INodeProperties } from 'n8n-workflow';

/** What the polls of a poll time cost in a day. Every search that can be watched costs 2 credits per 10 results (docs/api-notes.md, Credits). */
const perDay: Array<{ modes: string[]; words: string }> = [
	{ modes: ['everyMinute'], words: 'Every minute is 1,440 checks and 2,880 credits a day' },
	{ modes: ['everyHour'], words: 'Every hour is 24 checks and 48 credits a day' },
	{ modes: ['everyDay'], words: 'Once a day is 2 credits a day' },
	{
		modes: ['everyX', 'custom'],
		words: 'Every 5 minutes, for example, is 288 checks and 576 credits a day',
	},
];

/** The poll time that n8n shows first, from the root: of a path without that, n8n 1.105 says that it cannot be resolved. */
const firstMode = '/pollTimes.item[0].mode';

/**
 * When to check. n8n puts a field for the poll times before all others, every minute unless changed. One
 * of the same name and kind gives it another default, for n8n takes the last of two; the editor shows it
 * among the node's settings, so that the parameters have one.
 */
export const scheduleFields: INodeProperties[] = [
	...perDay.map(
		({ modes, words }): INodeProperties => ({
			displayName: `${words}, for 10 results of one source. More results and sources, pages that are read, and further poll times cost more.`,
			name: 'costNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { [firstMode]: modes } },
		}),
	),
	{
		displayName: 'Poll Times',
		name: 'pollTimes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Poll Time' },
		placeholder: 'Add Poll Time',
		isNodeSetting: true,
		default: { item: [{ mode: 'everyDay', hour: 9, minute: 0 }] },
		description: 'When to check; the same as under Parameters',
		options: cronNodeOptions,
	},
];
