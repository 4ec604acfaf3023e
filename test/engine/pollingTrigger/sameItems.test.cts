import type { IDataObject } from 'n8n-workflow';
import { itemsOf, tides, useTriggers, watch } from '../trigger/triggers.cjs';
import { keepings, PolledWorkflow } from '../polledWorkflow.cjs';

const triggers = useTriggers();

/** Fields of an event that only a webhook request has, and times that a poll adds. */
const withoutOwn = ({ event, checkedAt: _, ...item }: IDataObject): IDataObject => ({
	...item,
	event: { type: Object(event).type },
});

describe('a polled monitor check', () => {
	it('has the items that the Web Data Trigger gets by webhook', async () => {
		const account = triggers.account();
		const parameters = {
			events: ['new', 'changed', 'checkCompleted'],
			includePages: true,
		};
		const called = await triggers.active({ ...watch, ...parameters }, { account });
		const [{ id }] = triggers.monitors;
		const polled = new PolledWorkflow(triggers.testBed.engine, {
			type: 'webDataPollingTrigger',
			credentials: account.credentials,
			keeping: keepings.at(-1),
			parameters: { watch: 'monitor', monitorId: id, firstCheck: 'all', ...parameters },
		});

		await triggers.nextCheck();
		triggers.append(tides, 'A new line.');
		await triggers.nextCheck();
		await polled.activate();

		expect(polled.errors).toEqual([]);
		expect(polled.fired.map(({ status }) => status)).toEqual([
			'new',
			'completed',
			'changed',
			'completed',
		]);
		// The list of a check's pages has a few fields more than its events.
		expect(polled.fired.map(withoutOwn)).toMatchObject(itemsOf(called).flat().map(withoutOwn));
	});
});
