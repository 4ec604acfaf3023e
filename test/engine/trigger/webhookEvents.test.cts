import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { Account } from '../testBed.cjs';
import { itemsOf, secret, signed, storms, tides, useTriggers } from './triggers.cjs';

const triggers = useTriggers();
const { testBed } = triggers;

/** Lets the jobs come to their end, no call overtaken by the clock. */
async function finished(): Promise<void> {
	for (let second = 0; second < 10; second++) {
		await testBed.service.clock.advance(1000);
		await testBed.service.context.webhooks.idle();
	}
}

/** Jobs that tell a trigger about themselves, started by the node, and what the trigger made of it. */
async function heard(
	jobs: Array<[resource: string, parameters: INodeParameters]>,
	parameters: INodeParameters = {},
) {
	const account: Account = triggers.account();
	const trigger = await triggers.active({ source: 'webhookEvents', ...parameters }, { account });
	const additionalFields = { webhook: { url: trigger.address } };
	const ids = [];
	for (const [resource, own] of jobs) {
		const given = { ...own, additionalFields };
		const run = await testBed.run(resource, 'start', given, { account });
		if (run.error) throw run.error;
		ids.push(run.output()[0].json.jobId);
	}
	await finished();
	await trigger.idle();
	return { ids, trigger, items: itemsOf(trigger).flat() };
}

const batch: [string, INodeParameters] = ['batch', { urls: [tides, storms].join('\n') }];
const crawl: [string, INodeParameters] = ['crawl', { url: 'https://tidewatch.example', limit: 2 }];
const agent: [string, INodeParameters] = ['agent', { prompt: 'tidal lagoon energy storage' }];
const summary = (items: Array<{ event?: unknown }>) =>
	items.map(({ event }) => {
		const { type, id } = event as { type: string; id: string };
		return [type, id];
	});

it('jobs of every kind tell what they do, by name and id', async () => {
	const { ids, items, trigger } = await heard([batch, crawl, agent]);
	const [batchId, crawlId, agentId] = ids;
	const told = summary(items);
	const steps = told.filter(([type]) => type === 'agent.action');

	expect(steps.length).toBeGreaterThan(2);
	expect(steps.every(([, id]) => id === agentId)).toBe(true);
	expect(told.filter((each) => !steps.includes(each)).sort()).toEqual(
		[
			['agent.started', agentId],
			['agent.completed', agentId],
			['batch_scrape.started', batchId],
			['batch_scrape.page', batchId],
			['batch_scrape.page', batchId],
			['batch_scrape.completed', batchId],
			['crawl.started', crawlId],
			['crawl.page', crawlId],
			['crawl.page', crawlId],
			['crawl.completed', crawlId],
		].sort(),
	);
	const pages = items.filter(({ event }) => summary([{ event }])[0][0] === 'batch_scrape.page');
	expect(pages.map(({ metadata }) => (metadata as { sourceURL: string }).sourceURL).sort()).toEqual(
		[tides, storms].sort(),
	);
	expect(trigger.stored).not.toHaveProperty('registration');
	expect(triggers.monitors).toEqual([]);
});

it('credits that the service does not know are no number in the item', async () => {
	const trigger = await triggers.active({ source: 'webhookEvents' });
	const page = { markdown: '# Tides', metadata: { sourceURL: tides, creditsUsed: -1 } };
	const change = { data: [page], creditsUsed: -1 };
	const text = triggers.event('crawl.page', trigger.address, [], change);

	expect(await triggers.call(trigger.address, text, signed(text, secret))).toBe(200);

	const metadata = { sourceURL: tides, creditsUsed: null };
	expect(itemsOf(trigger)).toMatchObject([[{ metadata, event: { creditsUsed: null } }]]);
});

it('a monitor whose webhook the user has set reports its pages and checks, as they are chosen', async () => {
	const account = triggers.account();
	const trigger = await triggers.active(
		{ source: 'webhookEvents', webhookEvents: ['new', 'checkCompleted'] },
		{ account },
	);
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

it('events of servers of 2025, which have no webhookId, are known by type, job and page', async () => {
	const trigger = await triggers.active({ source: 'webhookEvents' });
	const id = randomUUID();
	const page = (url: string) => ({ markdown: '# Tides', metadata: { sourceURL: url } });
	const send = async (type: string, ...data: object[]) => {
		const text = JSON.stringify({ success: true, type, id, data });
		return await triggers.call(trigger.address, text, signed(text, secret));
	};
	const events: Array<[string, ...object[]]> = [
		['crawl.started'],
		['crawl.page', page(tides)],
		['crawl.page', page(storms)],
		['crawl.page', page(tides)],
		['crawl.completed'],
		['crawl.completed'],
	];
	const statuses = [];
	for (const [type, ...data] of events) statuses.push(await send(type, ...data));

	expect(statuses).toEqual(events.map(() => 200));
	expect(
		itemsOf(trigger)
			.flat()
			.map(({ event, metadata }) => [...summary([{ event }])[0], metadata]),
	).toEqual([
		['crawl.started', id, undefined],
		['crawl.page', id, { sourceURL: tides }],
		['crawl.page', id, { sourceURL: storms }],
		['crawl.completed', id, undefined],
	]);
});
