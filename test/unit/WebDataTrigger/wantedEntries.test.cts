import type { IDataObject } from 'n8n-workflow';
import { wantedEntries, type Delivery } from '../../../nodes/WebDataTrigger/delivery';
import { triggerContract } from '../../../nodes/WebDataTrigger/settings';
import { accepted, refusals } from '../verdict.cjs';

const page = (...entries: IDataObject[]): Delivery => ({
	type: 'monitor.page',
	webhookId: 'w',
	entries,
	about: {},
});
const wanted = (delivery: Delivery, settings: object, monitorId?: string) =>
	wantedEntries(
		delivery,
		accepted(triggerContract, { source: 'newMonitor', events: ['changed'], ...settings }),
		monitorId,
	);

it('are those whose event is chosen, each by itself', () => {
	const [changed, same] = [{ status: 'changed' }, { status: 'same' }];

	expect(wanted(page(changed, same), {})).toEqual([changed]);
	expect(wanted(page(changed, same), { events: ['same'] })).toEqual([same]);
});

describe('by the monitor', () => {
	const entry = { status: 'changed', monitorId: 'a' };
	const marked = (registration: string): Delivery => ({
		...page(entry),
		about: { metadata: { registration } },
	});

	it.each<[string, Delivery, string | undefined, boolean]>([
		['its own', page(entry), 'a', true],
		['one that it knows nothing of, in a test', page(entry), undefined, true],
		["somebody else's", page(entry), 'b', false],
		["somebody else's, with metadata of its own", marked('mine'), 'b', false],
		['one that this node made', marked('created by n8n'), 'b', true],
		['one that this node listens to', marked('attached by n8n'), 'b', true],
		['one that is not named', page({ status: 'changed' }), 'b', true],
	])('%s', (_name, delivery, monitorId, expected) => {
		expect(wanted(delivery, {}, monitorId)).toHaveLength(expected ? 1 : 0);
	});
});

describe('only meaningful ones', () => {
	const events = ['changed', 'new', 'removed', 'error', 'same'];

	it.each<[IDataObject, boolean]>([
		[{ status: 'changed', isMeaningful: true }, true],
		[{ status: 'changed', judgment: { meaningful: true } }, true],
		[{ status: 'changed', isMeaningful: false }, false],
		[{ status: 'changed', isMeaningful: null, judgment: null }, false],
		[{ status: 'new', isMeaningful: null, judgment: null }, true],
		[{ status: 'new', isMeaningful: false }, false],
		[{ status: 'removed', judgment: { meaningful: false } }, false],
		[{ status: 'error', isMeaningful: null }, true],
		[{ status: 'same', isMeaningful: null }, true],
	])('%j: %s', (entry, expected) => {
		expect(wanted(page(entry), { events, onlyMeaningful: true })).toHaveLength(expected ? 1 : 0);
		expect(wanted(page(entry), { events })).toHaveLength(1);
	});
});

describe('of jobs', () => {
	const job = (type: string): Delivery => ({ type, webhookId: 'w', entries: [{}], about: {} });

	it.each<[string, object, boolean]>([
		['crawl.page', {}, true],
		['crawl.page', { jobEvents: [] }, true],
		['crawl.page', { jobEvents: ['page'] }, true],
		['crawl.page', { jobEvents: ['completed'] }, false],
		['agent.cancelled', { jobEvents: ['cancelled', 'failed'] }, true],
		['monitor.page', {}, false],
	])('%s with %j: %s', (type, settings, expected) => {
		expect(wanted(job(type), { source: 'jobs', ...settings })).toHaveLength(expected ? 1 : 0);
	});

	it('none for a trigger of monitors', () => {
		expect(wanted(job('crawl.page'), { events: ['page'] })).toEqual([]);
	});
});

it('a monitor needs an event, jobs do not', () => {
	expect(refusals(triggerContract, { source: 'existingMonitor', events: [] })).toEqual([
		'events needs at least one',
	]);
	expect(refusals(triggerContract, { source: 'jobs' })).toEqual([]);
});
