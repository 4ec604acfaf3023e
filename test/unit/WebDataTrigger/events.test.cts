import type { INodePropertyOptions } from 'n8n-workflow';
import { monitorEventFields } from '../../../nodes/WebData/fields/monitor';
import { eventOf, webhookEvents, serviceEvents } from '../../../nodes/WebDataTrigger/events';

it.each<[string[], string[]]>([
	[['changed'], ['monitor.page']],
	[['same', 'error', 'removed', 'new'], ['monitor.page']],
	[['checkCompleted'], ['monitor.check.completed']],
	[
		['checkCompleted', 'changed'],
		['monitor.page', 'monitor.check.completed'],
	],
	[[], []],
])('maps the options %j to events of the API', (chosen, expected) => {
	expect(serviceEvents(chosen)).toEqual(expected);
});

it.each<[string, object, string]>([
	['monitor.page', { status: 'removed' }, 'removed'],
	['monitor.check.completed', { status: 'partial' }, 'checkCompleted'],
	['crawl.page', { status: 'new' }, 'page'],
	['batch_scrape.completed', {}, 'completed'],
	['agent.action', {}, 'action'],
	['later', {}, 'later'],
])('maps an entry of %s with %j to the option %s', (type, entry, expected) => {
	expect(eventOf(type, { ...entry })).toBe(expected);
});

it('has only options that are events of the API', () => {
	// The statuses of pages and the ends of jobs.
	const statuses = ['changed', 'error', 'new', 'removed', 'same'];
	const types = ['action', 'cancelled', 'completed', 'failed', 'page', 'started'];
	const ofPages = statuses.map((status) => eventOf('monitor.page', { status }));
	const ofMonitors = [...ofPages, eventOf('monitor.check.completed', {})];
	const options = monitorEventFields.events.property?.options as INodePropertyOptions[];
	expect(options.map(({ value }) => value).sort()).toEqual(ofMonitors.sort());
	expect(webhookEvents.map(({ value }) => value).sort()).toEqual(
		[...ofMonitors, ...types.map((type) => eventOf(`crawl.${type}`, {}))].sort(),
	);
});
