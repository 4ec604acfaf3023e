import crypto, { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { isFirst } from '../../../nodes/WebDataTrigger/received';

it('a delivery is known again by its ID, in this process and in what is stored', () => {
	const [trigger, id] = [randomUUID(), randomUUID()];
	const stored: IDataObject = {};

	expect(isFirst(id, trigger, stored)).toBe(true);
	expect(isFirst(id, trigger, {})).toBe(false);
	expect(isFirst(id, randomUUID(), stored)).toBe(false);
	expect(isFirst(id, randomUUID(), {})).toBe(true);
});

it('however many came before, each is hashed by itself, and none is kept as it is', () => {
	const trigger = randomUUID();
	const stored: IDataObject = {};
	const ids = Array.from({ length: 1500 }, () => randomUUID());
	for (const id of ids) isFirst(id, trigger, stored);

	const hashes = jest.spyOn(crypto, 'createHash');
	expect(isFirst(randomUUID(), trigger, stored)).toBe(true);
	expect(hashes.mock.calls.length).toBeLessThan(10);
	hashes.mockRestore();

	expect(stored.deliveries).toHaveLength(1501 * 17);
	expect(ids.some((id) => String(stored.deliveries).includes(id))).toBe(false);
});
