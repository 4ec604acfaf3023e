import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { WebhookEvent } from '../../../nodes/WebDataTrigger/webhookRequest';
import { eventOf, serviceEvents, triggerSchema } from '../../../nodes/WebDataTrigger/settings';
import { isFirstAttempt, wantedEntries } from '../../../nodes/WebDataTrigger/webhookEvent';
import { accepted, refusals } from '../schemaAssertions.cjs';

it.each<[string[], string[]]>([
	[['changed'], ['monitor.page']],
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

it('recognizes a webhook ID, in this process and in static data', () => {
	const [trigger, id] = [randomUUID(), randomUUID()];
	const stored: IDataObject = {};

	expect(isFirstAttempt(id, trigger, stored)).toBe(true);
	expect(isFirstAttempt(id, trigger, {})).toBe(false);
	expect(isFirstAttempt(id, randomUUID(), stored)).toBe(false);
	expect(isFirstAttempt(id, randomUUID(), {})).toBe(true);
});

it('stores the last 5,000 webhook IDs, as hashes', () => {
	const known = Array.from({ length: 5_000 }, (_, index) => String(index).padStart(11, '0'));
	const stored: IDataObject = { webhookIds: known.join('') };
	const id = randomUUID();

	expect(isFirstAttempt(id, randomUUID(), stored)).toBe(true);
	expect(stored.webhookIds).toHaveLength(5_000 * 11);
	expect(stored.webhookIds).toMatch(/^00000000001/);
	expect(stored.webhookIds).not.toContain(id);
});

const trigger = 'this';
const metadata = { registration: 'created by n8n', trigger };
const page = (...entries: IDataObject[]): WebhookEvent => ({
	type: 'monitor.page',
	webhookId: 'w',
	entries: entries.map((entry) => ({ monitorId: 'a', ...entry })),
	envelope: { metadata },
	isVerified: true,
});
const wanted = (delivery: WebhookEvent, settings: object) => {
	const given = { source: 'newMonitor', events: ['changed'], ...settings };
	return wantedEntries(delivery, accepted(triggerSchema, given), trigger);
};

it('selects the entries of chosen events', () => {
	const [changed, same] = ['changed', 'same'].map((status) => ({ monitorId: 'a', status }));

	expect(wanted(page(changed, same), {})).toEqual([changed]);
	expect(wanted(page(changed, same), { events: ['same'] })).toEqual([same]);
});

describe('The entries of a monitor', () => {
	const entry = { status: 'changed' };
	const marked = (about: object): WebhookEvent => ({
		...page(entry),
		envelope: { metadata: about },
	});

	it.each<[string, WebhookEvent, boolean]>([
		['its own', page(entry), true],
		['its own, sent to another workflow', marked({ ...metadata, trigger: 'x' }), false],
		['its own, sent here by hand', marked({}), false],
		['its own, with metadata of its own', marked({ registration: 'mine', trigger }), false],
		['its own, marked in a prototype', marked(Object.create(metadata) as object), false],
		['one that is not named', page({ ...entry, monitorId: undefined }), false],
		['one whose name leads elsewhere', page({ ...entry, monitorId: '../team' }), false],
	])('are selected by metadata and ID: %s', (_name, delivery, expected) => {
		expect(wanted(delivery, {})).toHaveLength(expected ? 1 : 0);
	});
});

it.each<[IDataObject, boolean]>([
	[{ status: 'changed', isMeaningful: true }, true],
	[{ status: 'changed', isMeaningful: false }, false],
])('only meaningful entries are selected where that is chosen: %j: %s', (entry, expected) => {
	expect(wanted(page(entry), { onlyMeaningful: true })).toHaveLength(expected ? 1 : 0);
	expect(wanted(page(entry), {})).toHaveLength(1);
});

describe('The entries of webhook events', () => {
	const job = (type: string): WebhookEvent => ({
		...page({ status: 'changed' }),
		type,
		envelope: {},
	});

	it.each<[string, object, boolean]>([
		['crawl.page', {}, true],
		['crawl.page', { webhookEvents: [] }, true],
		['crawl.page', { webhookEvents: ['page'] }, true],
		['crawl.page', { webhookEvents: ['completed'] }, false],
		['agent.cancelled', { webhookEvents: ['cancelled', 'failed'] }, true],
		['monitor.page', {}, true],
		['monitor.page', { webhookEvents: ['changed'] }, true],
		['monitor.page', { webhookEvents: ['new', 'page'] }, false],
		['monitor.check.completed', { webhookEvents: ['checkCompleted'] }, true],
	])('are selected: %s with %j: %s', (type, settings, expected) => {
		expect(wanted(job(type), { source: 'webhookEvents', ...settings })).toHaveLength(
			expected ? 1 : 0,
		);
	});

	it('are not selected for a trigger of monitors', () => {
		expect(wanted(job('crawl.page'), { events: ['page'] })).toEqual([]);
	});
});

it('requires an event for its own monitor, but not for webhook events', () => {
	const monitored = { source: 'newMonitor', events: [] };
	expect(refusals(triggerSchema, monitored)).toEqual(['events requires at least one']);
	expect(refusals(triggerSchema, { source: 'webhookEvents' })).toEqual([]);
});
