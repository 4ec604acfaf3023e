import { cronNodeOptions, type INodeProperties } from 'n8n-workflow';
import { costOf, prices } from '../WebData/fields/prices';

/** A number of checks per day, with their price. */
const checks = (count: number): string => {
	const credits = count * prices.tenResults.credits;
	return `${count.toLocaleString('en')} checks and ${credits.toLocaleString('en')} credits a day`;
};

/** The price per day of each poll mode. */
const perDay: Array<{ modes: string[]; price: string }> = [
	{ modes: ['everyMinute'], price: `Every minute is ${checks(1_440)}` },
	{ modes: ['everyHour'], price: `Every hour is ${checks(24)}` },
	{ modes: ['everyDay'], price: `Once a day is ${costOf('tenResults')} a day` },
	{ modes: ['everyX', 'custom'], price: `Every 5 minutes, for example, is ${checks(288)}` },
];

/** The first poll time, by its absolute path: n8n 1.105 cannot resolve a relative one. */
const firstMode = '/pollTimes.item[0].mode';

/**
 * The schedule. n8n adds a field for poll times, every minute by default, before all others. A
 * field with the same name and type overrides that default, since the last one wins; the editor
 * shows it among the node's settings, so that the parameters have one.
 */
export const scheduleFields: INodeProperties[] = [
	...perDay.map(
		({ modes, price }): INodeProperties => ({
			displayName: `${price}, for 10 results of one source. More results, sources, scraped pages and poll times cost more.`,
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
		description: 'When to check; same as under Parameters',
		options: cronNodeOptions,
	},
];
