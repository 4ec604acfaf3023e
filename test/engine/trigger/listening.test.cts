import { itemsOf, tides, useTriggers, watch } from './triggers.cjs';

const triggers = useTriggers();
const { testBed } = triggers;

/** Lets the checks and their calls come to their end. */
async function settled(): Promise<void> {
	await testBed.service.context.monitors.idle();
	await testBed.service.context.webhooks.idle();
	await triggers.idle();
}

describe('"Listen for test event"', () => {
	it('has a monitor of its own, which is checked at once and removed afterwards', async () => {
		const trigger = await triggers.active(watch);
		const [{ id }] = triggers.monitors;
		const { stored } = trigger;

		await trigger.listen();
		expect(triggers.monitors.map(({ settings }) => settings.webhook?.url)).toEqual([
			trigger.address,
			trigger.testAddress,
		]);
		await settled();
		await trigger.stopListening();

		expect(itemsOf(trigger)).toMatchObject([
			[{ url: tides, status: 'new', event: { verified: true } }],
		]);
		expect(triggers.monitors.map((each) => each.id)).toEqual([id]);
		expect(trigger.stored).toEqual(stored);
	});

	it('leaves nothing when it cannot begin', async () => {
		const trigger = await triggers.trigger(watch);
		const run = { kind: 'status', status: 402, method: 'POST', path: '/v2/monitor/*' } as const;
		testBed.service.faults.add(run);

		await expect(trigger.listen()).rejects.toThrow('HTTP 402');
		expect(triggers.monitors).toEqual([]);
	});
});
