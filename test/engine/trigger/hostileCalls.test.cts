import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { RunCredentials } from '../runCredentials.cjs';
import { itemsOf, secret, signed, useTriggers, watch } from './triggers.cjs';

const triggers = useTriggers();
const { testBed } = triggers;

const checksRead = () =>
	testBed.service.log.entries.filter(({ path }) => path.includes('/checks/')).length;

it('a call whose body n8n does not keep starts nothing, however it is signed', async () => {
	const trigger = await triggers.active(watch);
	const text = triggers.pageEvent(trigger.address);
	const headers = { ...signed(text, secret), 'content-type': 'multipart/mixed; boundary=x' };

	expect(await triggers.call(trigger.address, text, headers)).toBe(401);
	expect(trigger.started).toEqual([]);
});

it.each<[string, IDataObject]>([
	['of a megabyte', { webhookId: 'x'.repeat(1_000_000) }],
	['missing, as is that of the job', { webhookId: undefined, id: undefined }],
])('nothing is kept of a call that is refused, its ID %s', async (_name, ids) => {
	const trigger = await triggers.active(watch, { secret: '' });
	const text = triggers.pageEvent(trigger.address, {}, ids);

	expect(await triggers.call(trigger.address, text)).toBe(400);
	expect(trigger.started).toEqual([]);
	expect(trigger.stored).not.toHaveProperty('webhookIds');
});

describe('checks whose pages are to be added', () => {
	const withPages = { ...watch, events: ['checkCompleted'], includePages: true };
	const completed = (address: string, entries: IDataObject[]) =>
		triggers.event('monitor.check.completed', address, entries);

	it('are read for the first ten of a call', async () => {
		const trigger = await triggers.active(withPages, { secret: '' });
		const text = completed(
			trigger.address,
			Array.from({ length: 1000 }, () => ({})),
		);

		expect(await triggers.call(trigger.address, text)).toBe(200);

		const [items] = itemsOf(trigger);
		expect(items).toHaveLength(1000);
		expect(items.every(({ pagesError }) => typeof pagesError === 'string')).toBe(true);
		expect(checksRead()).toBe(10);
	});

	it('need IDs that can be some', async () => {
		const trigger = await triggers.active(withPages, { secret: '' });
		const ids = [undefined, '../../team', 7, ''];
		const entries = ids.flatMap((id) => [{ monitorId: id }, { checkId: id }]);

		expect(await triggers.call(trigger.address, completed(trigger.address, entries))).toBe(200);

		expect(itemsOf(trigger).flat()).toHaveLength(ids.length);
		expect(checksRead()).toBe(0);
	});
});

describe('a captured call', () => {
	it("starts no other workflow of the same account, whose monitor's calls are signed alike", async () => {
		const account = triggers.account();
		const one = await triggers.active(watch, { account });
		const other = await triggers.active(watch, { account });
		const text = triggers.pageEvent(one.address);

		expect(await triggers.call(other.address, text, signed(text, secret))).toBe(200);
		expect(other.started).toEqual([]);
		expect(await triggers.call(one.address, text, signed(text, secret))).toBe(200);
		expect(one.started).toHaveLength(1);
	});

	it('of a test starts nothing in production', async () => {
		const trigger = await triggers.active(watch);
		await trigger.listen();
		await testBed.service.context.monitors.idle();
		await testBed.service.context.webhooks.idle();
		await triggers.idle();
		const text = triggers.pageEvent(trigger.testAddress);
		await trigger.stopListening();
		const before = trigger.started.length;

		expect(await triggers.call(trigger.address, text, signed(text, secret))).toBe(200);
		expect(trigger.started).toHaveLength(before);
	});
});

it("with 'Require Signature' off, unsigned calls are taken and say so, and wrong ones are refused", async () => {
	const trigger = await triggers.active({ ...watch, requireSignature: false });
	const [unsigned, right] = [0, 1].map(() => triggers.pageEvent(trigger.address));

	expect(await triggers.call(trigger.address, unsigned)).toBe(200);
	expect(await triggers.call(trigger.address, right, signed(right, secret))).toBe(200);
	expect(await triggers.call(trigger.address, right, signed(right, 'another'))).toBe(401);

	expect(itemsOf(trigger)).toMatchObject([
		[{ event: { verified: false } }],
		[{ event: { verified: true } }],
	]);
});

describe('while the node itself is at fault', () => {
	it.each<[string, INodeParameters, INodeParameters]>([
		['an expression that became empty', { events: '={{ [] }}' }, { events: ['changed'] }],
		['a value of no kind', { onlyMeaningful: 'perhaps' }, { onlyMeaningful: false }],
	])('events are taken and the error is logged once: %s', async (_name, wrong, right) => {
		const trigger = await triggers.active(watch);
		const logged = jest.spyOn(Container.get(Logger), 'error');
		const send = async () => {
			const text = triggers.pageEvent(trigger.address);
			return await triggers.call(trigger.address, text, signed(text, secret));
		};
		trigger.change(wrong);

		expect([await send(), await send()]).toEqual([200, 200]);
		expect(trigger.started).toEqual([]);
		expect(logged.mock.calls.map(([message]) => String(message))).toEqual([
			expect.stringMatching(
				/^Webhook events of 'Watch' in workflow .* are ignored: '(Events|Only)/,
			),
		]);

		trigger.change(right);
		expect(await send()).toBe(200);
		expect(trigger.started).toHaveLength(1);
		trigger.change(wrong);
		await send();
		expect(logged).toHaveBeenCalledTimes(2);
		logged.mockRestore();
	});

	it('the service is asked to call again if the credential cannot be used', async () => {
		const trigger = await triggers.active(watch);
		const text = triggers.pageEvent(trigger.address);
		trigger.changeCredential({ baseUrl: 'nowhere' });

		expect(await triggers.call(trigger.address, text, signed(text, secret))).toBe(503);
		expect(trigger.started).toEqual([]);
	});
});

it('the answer goes out before anything is stored or started, and before anything is asked of the service', async () => {
	const trigger = await triggers.active({
		...watch,
		events: ['changed', 'checkCompleted'],
		includePages: true,
	});
	testBed.service.log.clear();
	const release = trigger.holdDatabase();
	const kinds = ['monitor.page', 'monitor.check.completed'];
	const texts = kinds.map((type) => triggers.event(type, trigger.address, [{ status: 'changed' }]));

	for (const text of texts) {
		expect(await triggers.answerTo(trigger.address, text, signed(text, secret))).toBe(200);
	}
	expect(trigger.started).toEqual([]);
	expect(trigger.stored).not.toHaveProperty('webhookIds');

	release();
	await trigger.idle();
	expect(trigger.started).toHaveLength(2);
	expect(checksRead()).toBe(1);
});

it('of calls that come close together, the credential is read once', async () => {
	const trigger = await triggers.active(watch);
	const reads = jest.spyOn(RunCredentials.prototype, 'getDecrypted');
	const texts = Array.from({ length: 20 }, () => triggers.pageEvent(trigger.address));

	await Promise.all(
		texts.map(async (text) => await triggers.call(trigger.address, text, signed(text, secret))),
	);

	expect(trigger.started).toHaveLength(20);
	expect(reads).toHaveBeenCalledTimes(1);
	reads.mockRestore();
});
