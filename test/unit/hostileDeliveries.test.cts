import type { IDataObject } from 'n8n-workflow';
import { parseWebhook } from '../../nodes/WebDataTrigger/webhookRequest';
import { isFirstAttempt, wantedEntries } from '../../nodes/WebDataTrigger/webhookEvent';
import { triggerSchema } from '../../nodes/WebDataTrigger/settings';
import { WorkMeter } from '../fuzz/workMeter.cjs';
import { accepted } from './schemaAssertions.cjs';

/** The size of the worst bodies, in bytes: enough for what is done once per entry to show. */
const size = 200_000;

const listOf = (count: number, entry: string) => `[${Array<string>(count).fill(entry).join()}]`;

const event = (type: string, data: string, id = 'worst') =>
	`{"type":"${type}","id":"${id}","webhookId":"${id}","data":${data},"metadata":{}}`;

const page = '{"status":"changed","url":"a","monitorId":"m"}';

/** Bodies that cost the most where something is done once per entry, per level or per character. */
const bodies: Record<string, string> = {
	'dots in the type, and entries': event('crawl'.padEnd(size / 2, '.'), listOf(size / 4, '1')),
	'as many page entries as are taken': event('monitor.page', listOf(1_000, page)),
	'more page entries': event('monitor.page', listOf(size / 80, page)),
	'nested lists': event('monitor.page', '['.repeat(size / 2) + ']'.repeat(size / 2)),
	'a long ID': event('monitor.page', `[${page}]`, 'x'.repeat(size / 2)),
	'a long text': event('crawl.page', `[{"url":"${'\\ud800'.repeat(size / 6)}"}]`),
	'members that every object has': event(
		'crawl.page',
		'[{"__proto__":{"polluted":1},"toString":null,"constructor":{"prototype":{"polluted":1}}}]',
	),
	'nothing but spaces': ' '.repeat(size),
};

const settings = accepted(triggerSchema, { source: 'webhookEvents', webhookEvents: ['page'] });

describe.each(Object.entries(bodies))('a delivery of %s', (_name, body) => {
	const meter = new WorkMeter();
	afterEach(() => meter.stop());

	it.each([
		['anybody', 0, 'whsec-1'],
		['the service', 6, ''],
	])('by %s is bounded work', (_who, most, secret) => {
		const rawBody = Buffer.from(body);
		const headers = { 'x-firecrawl-signature': `sha256=${'0'.repeat(64)}` };
		const stored: IDataObject = {};
		meter.start(() => 10_000 + most * body.length);
		const options = { secret, rejectUnsigned: secret !== '', needsSecret: false };
		const parsed = parseWebhook({ rawBody, headers }, options);
		if ('event' in parsed) {
			wantedEntries(parsed.event, settings, 'this');
			isFirstAttempt('worst', 'this', stored);
		}
		meter.stop();

		expect('event' in parsed && secret !== '').toBe(false);
		expect(meter.findings('a delivery')).toEqual([]);
		expect(JSON.stringify(stored).length).toBeLessThan(100);
		expect({}).not.toHaveProperty('polluted');
	});
});
