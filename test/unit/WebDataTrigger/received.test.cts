import crypto, { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { isFirstAttempt } from '../../../nodes/WebDataTrigger/received';

it('recognizes a webhook ID, in this process and in static data', () => {
	const [trigger, id] = [randomUUID(), randomUUID()];
	const stored: IDataObject = {};

	expect(isFirstAttempt(id, trigger, stored)).toBe(true);
	expect(isFirstAttempt(id, trigger, {})).toBe(false);
	expect(isFirstAttempt(id, randomUUID(), stored)).toBe(false);
	expect(isFirstAttempt(id, randomUUID(), {})).toBe(true);
});

it('hashes each webhook ID, and stores none in plain text', () => {
	const trigger = randomUUID();
	const stored: IDataObject = {};
	const ids = Array.from({ length: 1500 }, () => randomUUID());
	for (const id of ids) isFirstAttempt(id, trigger, stored);

	const hashes = jest.spyOn(crypto, 'createHash');
	expect(isFirstAttempt(randomUUID(), trigger, stored)).toBe(true);
	expect(hashes.mock.calls.length).toBeLessThan(10);
	hashes.mockRestore();

	expect(stored.webhookIds).toHaveLength(1501 * 17);
	expect(ids.some((id) => String(stored.webhookIds).includes(id))).toBe(false);
});
