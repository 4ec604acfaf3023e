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

it('of 200 deliveries, a fifth of them repeats and a tenth forged, each genuine event starts the workflow once', async () => {
	const { site, webhooks } = testBed.service.context;
	Object.assign(site.bulk, { pages: 160, bytes: 200 });
	const urls = Array.from(
		{ length: 160 },
		(_, index) => `https://bulk.example/pages/${index + 1}.md`,
	);
	const trigger = await triggers.active({
		...watch,
		targets: { values: [{ type: 'scrape', urls: urls.join('\n') }] },
		events: ['new'],
	});
	webhooks.held = true;
	await triggers.nextCheck();
	expect(triggers.deliveries).toHaveLength(160);

	const [forged, genuine] = [triggers.deliveries.slice(0, 20), triggers.deliveries.slice(20)];
	const orders = [
		...genuine.map(
			({ webhookId }) =>
				async () =>
					await webhooks.release([webhookId]),
		),
		...genuine.slice(0, 40).map(
			({ webhookId }) =>
				async () =>
					void (await webhooks.again(webhookId)),
		),
		...forged.map(({ webhookId }, index) => async () => {
			await webhooks.again(webhookId, index % 2 === 0 ? 'wrong' : 'missing');
		}),
	];
	expect(orders).toHaveLength(200);
	// 389 and 200 have no divisor in common: every order comes once, far from where it stood.
	const mixed = orders.map((_, index) => orders[(index * 389) % 200]);
	for (let index = 0; index < mixed.length; index += 20) {
		await Promise.all(mixed.slice(index, index + 20).map(async (order) => await order()));
	}
	await triggers.idle();

	const addresses = (list: typeof genuine) =>
		list.map(({ body }) => (JSON.parse(body) as { data: Array<{ url: string }> }).data[0].url);
	expect(urlsOf(trigger).sort()).toEqual(addresses(genuine).sort());
	expect(trigger.started.every(({ length }) => length === 1)).toBe(true);
	const statusesOf = (list: typeof genuine) =>
		new Set(list.flatMap(({ attempts }) => attempts.map(({ status }) => status)));
	expect([statusesOf(genuine), statusesOf(forged)]).toEqual([new Set([200]), new Set([401])]);

	await trigger.restart(await freshEngine());
	for (const { webhookId } of genuine.slice(0, 10)) await webhooks.again(webhookId);
	await triggers.idle();
	expect(trigger.started).toHaveLength(140);
});
