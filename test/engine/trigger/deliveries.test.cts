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

		expect(await triggers.call(trigger.address, text, signed(text, secret))).toBe(200);
		expect(itemsOf(trigger)).toMatchObject([[{ event: { verified: true } }]]);
		const rewritten = JSON.stringify(JSON.parse(text));
		expect(await triggers.call(trigger.address, rewritten, signed(text, secret))).toBe(401);
	});

	it('cannot be checked without a secret, and the item says so', async () => {
		const trigger = await triggers.active(watch, { secret: '' });

		await triggers.nextCheck();

		expect(itemsOf(trigger)).toMatchObject([[{ event: { verified: false } }]]);
		const event = triggers.pageEvent(trigger.address);
		expect(await triggers.call(trigger.address, event, signed(event, 'any'))).toBe(200);
	});
});

describe('what starts the workflow', () => {
	it('is in one execution per call, one item per entry, with what the call says beside', async () => {
		const trigger = await triggers.active(watch);
		const text = triggers.event('monitor.page', trigger.address, [
			{ status: 'new', url: 'a' },
			{ status: 'changed' },
		]);
		await triggers.call(trigger.address, text, signed(text, secret));

		const { id, webhookId } = JSON.parse(text) as { id: string; webhookId: string };
		const event = { type: 'monitor.page', id, webhookId, success: true, verified: true };
		expect(itemsOf(trigger)).toMatchObject([
			[
				{ status: 'new', url: 'a', event },
				{ status: 'changed', event },
			],
		]);
	});

	it("is no event of somebody else's monitor, though it is sent here", async () => {
		const account = triggers.account();
		const trigger = await triggers.active(watch, { account });
		await triggers.made(account, {
			targets: [{ type: 'scrape', urls: ['https://relayworks.example'] }],
			webhook: { url: trigger.address },
		});

		await triggers.nextCheck();

		expect(urlsOf(trigger)).toEqual([tides]);
		expect(triggers.deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status)))
			// The page and the end of the foreign check are taken and dropped.
			.toEqual([200, 200, 200]);
	});
});

describe('a call that comes again', () => {
	it('is known to the other processes of the same n8n', async () => {
		const trigger = await triggers.active(watch);
		const [one, other] = [triggers.pageEvent(trigger.address), triggers.pageEvent(trigger.address)];
		const send = async (text: string) =>
			await triggers.call(trigger.address, text, signed(text, secret));
		await send(one);
		const first = trigger.processOf(testBed.engine);
		trigger.processOf(await freshEngine());
		await send(other);
		expect(trigger.started).toHaveLength(2);
		trigger.processOf(first);
		await send(other);
		await send(one);

		expect(trigger.started).toHaveLength(2);
	});

	it('starts the workflow when the first did not reach n8n', async () => {
		const trigger = await triggers.active(watch);
		const { port } = new URL(trigger.address);
		await trigger.close();
		await triggers.nextCheck();
		expect(trigger.started).toEqual([]);
		await trigger.open(Number(port));

		await testBed.service.clock.advance(60_000);
		await testBed.service.context.webhooks.idle();
		await triggers.idle();

		expect(urlsOf(trigger)).toEqual([tides]);
	});
});

it('of events that come at once, some again and some forged, each genuine one starts the workflow once', async () => {
	const trigger = await triggers.active(watch);
	const texts = Array.from({ length: 20 }, () => triggers.pageEvent(trigger.address));
	const genuine = texts.slice(5);
	const send = async (text: string, key: string) =>
		await triggers.call(trigger.address, text, signed(text, key));

	const forged = texts.map(async (text) => await send(text, 'another'));
	const taken = [...genuine, ...genuine].map(async (text) => await send(text, secret));

	expect(new Set(await Promise.all(forged))).toEqual(new Set([401]));
	expect(new Set(await Promise.all(taken))).toEqual(new Set([200]));
	expect(trigger.started).toHaveLength(15);
	await trigger.restart(await freshEngine());
	for (const text of genuine) await send(text, secret);
	expect(trigger.started).toHaveLength(15);
});
