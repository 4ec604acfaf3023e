import { cronNodeOptions, type INodeProperties } from 'n8n-workflow';
import { prices } from '../WebData/fields/prices';

/** The checks of a day by the mode of the poll time, and its name. */
const perDay: Array<{ modes: string[]; name: string; checks: number }> = [
	{ modes: ['everyMinute'], name: 'Every minute', checks: 1_440 },
	{ modes: ['everyHour'], name: 'Every hour', checks: 24 },
	{ modes: ['everyDay'], name: 'Once a day', checks: 1 },
	{ modes: ['everyX', 'custom'], name: 'Every 5 minutes, for example,', checks: 288 },
];

/** The credits of a check by watch, and what they are for. Other watches are free. */
const perCheck: Array<{ watch: string; credits: number; of: string }> = [
	{
		watch: 'page',
		credits: prices.page.credits,
		of: `for each URL; comparing fields costs ${prices.json.credits} more per URL and check. More poll times cost more.`,
	},
	{
		watch: 'search',
		credits: prices.tenResults.credits,
		of: 'for 10 results of one source. More results, sources, scraped pages and poll times cost more.',
	},
];

const estimate = (name: string, checks: number, credits: number, of: string): string => {
	const count = checks * credits;
	const daily = `${count.toLocaleString('en')} ${count === 1 ? 'credit' : 'credits'}`;
	return checks === 1
		? `${name} is ${daily} a day, ${of}`
		: `${name} is ${checks.toLocaleString('en')} checks and ${daily} a day, ${of}`;
};

/** The first poll time, by its absolute path: n8n 1.105 cannot resolve a relative one. */
const firstMode = '/pollTimes.item[0].mode';

/**
 * The schedule. n8n adds a field for poll times, every minute by default, before all others. A
 * field with the same name and type overrides that default, since the last one wins; the editor
 * shows it among the node's settings, so that the parameters have one.
 */
export const scheduleFields: INodeProperties[] = [
	...perCheck.flatMap(({ watch, credits, of }) =>
		perDay.map(
			({ modes, name, checks }): INodeProperties => ({
				displayName: estimate(name, checks, credits, of),
				name: 'costNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { watch: [watch], [firstMode]: modes } },
			}),
		),
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
