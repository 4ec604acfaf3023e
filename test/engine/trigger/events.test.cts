import { setImmediate as turn } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { itemsOf, secret, signed, storms, tides, useTriggers, watch } from './triggers.cjs';

const triggers = useTriggers();
const { testBed } = triggers;
const lost = 'https://nowhere.example/lost';
const energy = 'https://tidewatch.example/energy';
const statuses = (items: IDataObject[][]) =>
	items
		.flat()
		.map(({ status, summary, url }) =>
			summary ? 'checkCompleted' : `${String(status)} ${String(url)}`,
		)
		.sort();

/** A monitor of several pages after its first check, whose events were dropped. */
async function watched(parameters: INodeParameters) {
	const trigger = await triggers.active({
		...watch,
		targets: { values: [{ type: 'scrape', urls: [tides, storms, energy, lost].join('\n') }] },
		...parameters,
	});
	await triggers.nextCheck();
	trigger.started.length = 0;
	return trigger;
}

describe('the events', () => {
	it('of every kind start the workflow', async () => {
		const events = ['changed', 'removed', 'error', 'same', 'checkCompleted'];
		const trigger = await watched({ events });
		triggers.append(tides, 'A new gauge was added.');
		testBed.service.site.remove(energy);

		await triggers.nextCheck();

		expect(statuses(itemsOf(trigger))).toEqual([
			`changed ${tides}`,
			'checkCompleted',
			`error ${lost}`,
			`removed ${energy}`,
			`same ${storms}`,
		]);
		expect(
			triggers.deliveries.filter(({ attempts }) => attempts.some(({ status }) => status !== 200)),
		).toEqual([]);
	});

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
});

describe('the pages of a check', () => {
	const withPages = { events: ['checkCompleted'], includePages: true };
	const checks = '/v2/monitor/*';
	/** Reading the pages takes a minute of the service, which waits for the next check besides. */
	const slowly = () =>
		testBed.service.faults.add({ kind: 'delay', delayMs: 60_000, path: checks, method: 'GET' });
	const beingRead = async () => await testBed.service.clock.untilWaiting(2);

	it('are added, all of them, however many answers they come in', async () => {
		const { site } = testBed.service.context;
		Object.assign(site.bulk, { pages: 230, bytes: 200 });
		const urls = Array.from({ length: 230 }, (_, at) => `https://bulk.example/pages/${at + 1}.md`);
		const trigger = await triggers.active({
			...watch,
			...withPages,
			targets: { values: [{ type: 'scrape', urls: urls.join('\n') }] },
		});

		await triggers.nextCheck();

		const [[item]] = itemsOf(trigger);
		expect(item).toMatchObject({ status: 'completed', summary: { totalPages: 230, new: 230 } });
		expect((item.pages as IDataObject[]).map(({ url }) => url)).toEqual(urls);
	});

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
		const trigger = await triggers.active({
			...watch,
			...withPages,
			events: ['checkCompleted', 'changed'],
		});
		slowly();
		await testBed.service.context.monitors.toNextCheck();
		await beingRead();
		const text = triggers.pageEvent(trigger.address);
		await triggers.answerTo(trigger.address, text, signed(text, secret));
		while (trigger.started.length === 0) await turn();
		const { webhookIds } = trigger.stored;

		await testBed.service.clock.advance(60_000);
		await trigger.idle();

		expect(trigger.started).toHaveLength(2);
		expect(trigger.stored.webhookIds).toHaveLength(String(webhookIds).length);
	});
});
