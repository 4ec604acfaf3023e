import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { itemsOf, secret, signed, storms, tides, urlsOf, useTriggers, watch } from './triggers.cjs';

const triggers = useTriggers();
const { testBed } = triggers;

/** An item's event and what it is about. */
const told = ({ event, url }: IDataObject) => {
	const { type, id } = event as { type: string; id: string };
	return [type, url ?? id];
};

describe('the events of a new monitor', () => {
	it('are changes, new and removed pages unless chosen otherwise', async () => {
		const trigger = await triggers.active(watch);
		await triggers.nextCheck();
		triggers.append(tides, 'A new gauge was added.');
		await triggers.nextCheck();
		await triggers.nextCheck();
		testBed.service.site.remove(tides);
		await triggers.nextCheck();

		expect(itemsOf(trigger).flat()).toMatchObject([
			{ status: 'new', url: tides },
			{ status: 'changed', diff: { text: expect.stringContaining('+A new gauge') as string } },
			{ status: 'removed' },
		]);
	});

	it('are one item per entry, with what the call says beside', async () => {
		const trigger = await triggers.active(watch);
		const entries = [{ status: 'new', url: 'a' }, { status: 'changed' }];
		const text = triggers.event('monitor.page', trigger.address, entries);
		await triggers.send(trigger, text);

		const { id, webhookId } = JSON.parse(text) as { id: string; webhookId: string };
		const event = { type: 'monitor.page', id, webhookId, success: true, verified: true };
		expect(itemsOf(trigger)).toMatchObject([entries.map((entry) => ({ ...entry, event }))]);
	});

	it("are none of somebody else's monitor, though they are sent here", async () => {
		const account = triggers.account();
		const trigger = await triggers.active(watch, { account });
		const targets = [{ type: 'scrape', urls: ['https://relayworks.example'] }];
		await triggers.made(account, { targets, webhook: { url: trigger.address } });

		await triggers.nextCheck();

		expect(urlsOf(trigger)).toEqual([tides]);
		expect(triggers.deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status)))
			// The page and the end of the foreign check are taken and dropped.
			.toEqual([200, 200, 200]);
	});
});

describe('the pages of a check', () => {
	const withPages = { events: ['checkCompleted'], includePages: true };
	const checks = '/v2/monitor/*';

	it('that cannot be read leave the event with the reason, without the key and the secret in it', async () => {
		const account = triggers.account();
		const trigger = await triggers.active({ ...watch, ...withPages }, { account });
		const error = `No: ${account.key} and ${secret}`;
		testBed.service.faults.add({ kind: 'status', status: 403, error, path: checks });

		await triggers.nextCheck();

		const [[item]] = itemsOf(trigger);
		const pagesError = expect.stringMatching(/^No: .*\(HTTP 403\)$/) as string;
		expect(item).toMatchObject({ status: 'completed', pagesError });
		expect(item).not.toHaveProperty('pages');
		const everything = JSON.stringify([item, trigger.stored]);
		expect([account.key, secret].filter((text) => everything.includes(text))).toEqual([]);
	});

	it('that take long do not make n8n forget what came meanwhile', async () => {
		const events = ['checkCompleted', 'changed'];
		const trigger = await triggers.active({ ...watch, events, includePages: true });
		// Reading the pages takes a minute of the service, which waits for the next check besides.
		const slow = { kind: 'delay', delayMs: 60_000, path: checks, method: 'GET' } as const;
		testBed.service.faults.add(slow);
		await testBed.service.context.monitors.toNextCheck();
		while (testBed.service.clock.waiting < 2) await turn();
		const text = triggers.pageEvent(trigger.address);
		await triggers.answerTo(trigger.address, text, signed(text, secret));
		while (trigger.started.length === 0) await turn();
		const { webhookIds } = trigger.stored;

		await testBed.service.clock.advance(60_000);
		await trigger.idle();

		expect(trigger.started).toHaveLength(2);
		expect(trigger.stored.webhookIds).toHaveLength(String(webhookIds).length);
	});

	it.each<[string, IDataObject, number]>([
		['are read for the first ten of a call', {}, 10],
		['are not asked for without the ID of a monitor', { monitorId: '../../team' }, 0],
		['are not asked for without the ID of a check', { checkId: 7 }, 0],
	])('%s', async (_name, ids, requests) => {
		const trigger = await triggers.active({ ...watch, ...withPages }, { secret: '' });
		const entries = Array.from({ length: 1000 }, () => ids);
		const text = triggers.event('monitor.check.completed', trigger.address, entries);

		expect(await triggers.call(trigger.address, text)).toBe(200);

		const items = itemsOf(trigger).flat();
		expect(items.every(({ pagesError }) => typeof pagesError === 'string')).toBe(true);
		expect(items).toHaveLength('monitorId' in ids ? 0 : 1000);
		expect(triggers.checksRead).toHaveLength(requests);
	});
});

describe('webhook events', () => {
	const listening = { source: 'webhookEvents' };

	it('tell of a monitor whose webhook the user has set its pages and checks, as they are chosen', async () => {
		const account = triggers.account();
		const webhookEvents = ['new', 'checkCompleted'];
		const trigger = await triggers.active({ ...listening, webhookEvents }, { account });
		const { id } = await triggers.made(account, { webhook: { url: trigger.address } });

		await triggers.nextCheck();
		triggers.append(tides, 'A new gauge was added.');
		await triggers.nextCheck();
		await trigger.deactivate();

		expect(itemsOf(trigger).flat()).toMatchObject([
			{ monitorId: id, url: tides, status: 'new', event: { type: 'monitor.page', verified: true } },
			{ monitorId: id, event: { type: 'monitor.check.completed' } },
			{ monitorId: id, event: { type: 'monitor.check.completed' } },
		]);
		expect(triggers.monitors.map((monitor) => monitor.id)).toEqual([id]);
	});

	it('have all fields in the first item alone where they are long and many', async () => {
		const trigger = await triggers.active(listening);
		const beside = { type: 'crawl.page', id: randomUUID(), about: 'x'.repeat(10_000) };
		await triggers.send(trigger, JSON.stringify({ ...beside, data: Array(600).fill({}) }));

		const [first, second] = itemsOf(trigger).flat();
		expect(first.event).toMatchObject(beside);
		expect(second.event).toEqual({ type: beside.type, id: beside.id, verified: true });
	});

	it('of servers of 2025, which have no webhookId, are known by type, job and page', async () => {
		const trigger = await triggers.active(listening);
		const id = randomUUID();
		const events: Array<[type: string, sourceURL?: string]> = [
			['crawl.started'],
			['crawl.page', tides],
			['crawl.page', storms],
			['crawl.page', tides],
			['crawl.completed'],
			['crawl.completed'],
		];
		for (const [type, sourceURL] of events) {
			const data = sourceURL === undefined ? [] : [{ metadata: { sourceURL } }];
			const text = JSON.stringify({ success: true, type, id, data });
			expect(await triggers.send(trigger, text)).toBe(200);
		}

		const items = itemsOf(trigger).flat();
		expect(items.map((item) => [...told(item), Object(item.metadata).sourceURL])).toEqual([
			['crawl.started', id, undefined],
			['crawl.page', id, tides],
			['crawl.page', id, storms],
			['crawl.completed', id, undefined],
		]);
	});
});
