import { cronNodeOptions, type INodeProperties } from 'n8n-workflow';
import { costOf, prices } from '../WebData/fields/prices';

/** A number of checks a day, and their price. */
const checks = (count: number): string => {
	const credits = count * prices.tenResults.credits;
	return `${count.toLocaleString('en')} checks and ${credits.toLocaleString('en')} credits a day`;
};

/** What the polls of a poll time cost in a day. */
const perDay: Array<{ modes: string[]; words: string }> = [
	{ modes: ['everyMinute'], words: `Every minute is ${checks(1_440)}` },
	{ modes: ['everyHour'], words: `Every hour is ${checks(24)}` },
	{ modes: ['everyDay'], words: `Once a day is ${costOf('tenResults')} a day` },
	{ modes: ['everyX', 'custom'], words: `Every 5 minutes, for example, is ${checks(288)}` },
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
