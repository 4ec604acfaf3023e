import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import { RunCredentials } from '../runCredentials.cjs';
import {
	freshEngine,
	itemsOf,
	secret,
	signed,
	tides,
	urlsOf,
	useTriggers,
	watch,
} from './triggers.cjs';

const triggers = useTriggers();
const { testBed } = triggers;

describe('the signature', () => {
	it('is checked on the bytes that came', async () => {
		const trigger = await triggers.active(watch);
		const text = `  ${triggers.pageEvent(trigger.address, { url: `${tides}?é=\\u00e9` })} `;

		expect(await triggers.send(trigger, text)).toBe(200);
		const rewritten = JSON.stringify(JSON.parse(text));
		expect(await triggers.call(trigger.address, rewritten, signed(text, secret))).toBe(401);
		expect(itemsOf(trigger)).toMatchObject([[{ event: { verified: true } }]]);
	});
});

describe('the token of a new monitor', () => {
	it.each([
		['a secret', secret, 200],
		['no secret', '', 401],
	])('proves its events with %s, and stands in no item', async (_name, webhookSecret, status) => {
		const trigger = await triggers.active(watch, { secret: webhookSecret });
		const text = triggers.pageEvent(trigger.address);
		const { metadata, ...event } = JSON.parse(text) as { metadata: IDataObject };
		const forged = ['x'.repeat(String(metadata.token).length), undefined, 7].map((token) =>
			JSON.stringify({ ...event, metadata: { ...metadata, token } }),
		);

		const statuses: number[] = [];
		for (const body of [...forged, text]) statuses.push(await triggers.send(trigger, body));

		expect(String(metadata.token).length).toBeGreaterThan(30);
		expect(statuses).toEqual([status, status, status, 200]);
		expect(trigger.started).toHaveLength(1);
		expect(JSON.stringify(trigger.started)).not.toContain(metadata.token);
	});
});

describe('webhook events without a secret', () => {
	const listening = { source: 'webhookEvents' };

	it('are refused when the trigger is activated, and when one comes all the same', async () => {
		const trigger = await triggers.trigger(listening, { secret: '' });

		await expect(trigger.activate()).rejects.toMatchObject({
			message: expect.stringMatching(/'Require Signature' needs a 'Webhook Secret'/) as string,
			description: expect.stringMatching(/dashboard.*turn 'Require Signature' off/) as string,
		});

		const open = await triggers.active({ ...listening, requireSignature: false }, { secret: '' });
		open.change({ requireSignature: true });
		expect(await triggers.call(open.address, triggers.pageEvent(open.address))).toBe(401);
		open.change({ requireSignature: false });
		expect(await triggers.call(open.address, triggers.pageEvent(open.address))).toBe(200);
	});
});

describe('a call that comes again', () => {
	it('starts the workflow when the first did not reach n8n', async () => {
		const trigger = await triggers.active(watch);
		const { port } = new URL(trigger.address);
		await trigger.close();
		await triggers.nextCheck();
		expect(trigger.started).toEqual([]);
		await trigger.open(Number(port));

		await testBed.service.clock.advance(60_000);
		await triggers.settled();

		expect(urlsOf(trigger)).toEqual([tides]);
	});

	it('starts nothing, though forged ones and others come at the same time', async () => {
		const trigger = await triggers.active(watch);
		const texts = Array.from({ length: 20 }, () => triggers.pageEvent(trigger.address));
		const genuine = texts.slice(5);
		const sent = async (list: string[], key?: string) =>
			await Promise.all(list.map(async (text) => await triggers.send(trigger, text, key)));

		const [forged, taken] = await Promise.all([
			sent(texts, 'another'),
			sent([...genuine, ...genuine]),
		]);

		expect(new Set(forged)).toEqual(new Set([401]));
		expect(new Set(taken)).toEqual(new Set([200]));
		trigger.engine = await freshEngine();
		await trigger.restart();
		await sent(genuine);
		expect(trigger.started).toHaveLength(15);
	});
});

describe('a captured call', () => {
	it("starts no other workflow of the same account, whose monitor's calls are signed alike", async () => {
		const account = triggers.account();
		const [one, other] = [
			await triggers.active(watch, { account }),
			await triggers.active(watch, { account }),
		];
		const text = triggers.pageEvent(one.address);

		expect(await triggers.send(other, text)).toBe(200);
		expect(await triggers.send(one, text)).toBe(200);
		expect([one, other].map(({ started }) => started.length)).toEqual([1, 0]);
	});
});

it('nothing is kept of a call that tells no event', async () => {
	const trigger = await triggers.active(watch, { secret: '' });
	const text = triggers.pageEvent(trigger.address, {}, { webhookId: undefined, id: undefined });

	expect(await triggers.call(trigger.address, text)).toBe(400);
	expect([trigger.started, trigger.stored.webhookIds]).toEqual([[], undefined]);
});

describe('while the node itself is at fault', () => {
	it('events are taken and the error is logged once', async () => {
		const trigger = await triggers.active(watch);
		const logged = jest.spyOn(Container.get(Logger), 'error');
		const send = async () => await triggers.send(trigger, triggers.pageEvent(trigger.address));
		trigger.change({ events: '={{ [] }}' });

		expect([await send(), await send()]).toEqual([200, 200]);
		expect(trigger.started).toEqual([]);
		const words = /^Webhook events of 'Watch' in workflow .* are ignored: 'Events/;
		expect(logged.mock.calls).toEqual([[expect.stringMatching(words)]]);

		trigger.change({ events: ['changed'] });
		expect(await send()).toBe(200);
		expect(trigger.started).toHaveLength(1);
		trigger.change({ onlyMeaningful: 'perhaps' });
		await send();
		expect(logged).toHaveBeenCalledTimes(2);
		logged.mockRestore();
	});

	it('the service is asked to call again if the credential cannot be used', async () => {
		const trigger = await triggers.active(watch);
		trigger.options.credentials.webDataApi.baseUrl = 'nowhere';

		expect(await triggers.send(trigger, triggers.pageEvent(trigger.address))).toBe(503);
		expect(trigger.started).toEqual([]);
	});
});

it('the answer goes out before anything is stored or started, and before anything is asked of the service', async () => {
	const events = ['changed', 'checkCompleted'];
	const trigger = await triggers.active({ ...watch, events, includePages: true });
	const release = trigger.holdDatabase();

	for (const type of ['monitor.page', 'monitor.check.completed']) {
		const text = triggers.event(type, trigger.address, [{ status: 'changed' }]);
		expect(await triggers.answerTo(trigger.address, text, signed(text, secret))).toBe(200);
	}
	expect(trigger.started).toEqual([]);
	expect(trigger.stored).not.toHaveProperty('webhookIds');

	release();
	await trigger.idle();
	expect(trigger.started).toHaveLength(2);
	expect(triggers.checksRead).toHaveLength(1);
});

it('of calls that come close together, the credential is read once', async () => {
	const trigger = await triggers.active(watch);
	const reads = jest.spyOn(RunCredentials.prototype, 'getDecrypted');
	const texts = Array.from({ length: 20 }, () => triggers.pageEvent(trigger.address));

	await Promise.all(texts.map(async (text) => await triggers.send(trigger, text)));

	expect(trigger.started).toHaveLength(20);
	expect(reads).toHaveBeenCalledTimes(1);
	reads.mockRestore();
});
