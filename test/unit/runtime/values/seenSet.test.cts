import * as fc from 'fast-check';
import { fingerprint, keyHash, SeenSet } from '../../../../nodes/runtime/values/seenSet';

describe('A hash', () => {
	it('has the requested length and is stable', () => {
		expect(fingerprint('a', 11)).toMatch(/^[\w-]{11}$/);
		expect(fingerprint('a', 11)).toBe(fingerprint('a', 11));
		expect(fingerprint('a', 11)).not.toBe(fingerprint('b', 11));
	});
});

describe('A set of seen keys', () => {
	const restored = (memory: SeenSet, bound = 100) => new SeenSet(memory.toString(), bound);

	it('knows its keys, also after a restart', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.string()), fc.uniqueArray(fc.string()), (told, asked) => {
				const memory = new SeenSet('', 1_000);
				for (const key of told) memory.add(key);
				for (const key of [...told, ...asked]) {
					const expected = told.includes(key) ? 'known' : 'new';
					expect(memory.statusOf(key)).toBe(expected);
					expect(restored(memory, 1_000).statusOf(key)).toBe(expected);
				}
			}),
		);
	});

	it('knows the state of each key', () => {
		const memory = new SeenSet('', 100);
		memory.add('a', 'green');

		expect(memory.statusOf('a', 'green')).toBe('known');
		expect(memory.statusOf('a', 'ripe')).toBe('changed');
		expect(memory.statusOf('a')).toBe('known');
		expect(restored(memory).statusOf('a', 'ripe')).toBe('changed');
	});

	it('does not compare unknown states', () => {
		const memory = new SeenSet('', 100);
		memory.add('a');
		memory.add('b', 'green');
		memory.forgetStates();

		for (const each of [memory, restored(memory)]) {
			expect(each.statusOf('a', 'ripe')).toBe('known');
			expect(each.statusOf('b', 'ripe')).toBe('known');
			expect(each.statusOf('c', 'ripe')).toBe('new');
		}
	});

	it('evicts the least recently seen key', () => {
		const memory = new SeenSet('', 3);
		for (const key of ['a', 'b', 'c', 'a', 'd']) memory.add(key);

		const knownTo = (each: SeenSet) =>
			['a', 'b', 'c', 'd'].filter((key) => each.statusOf(key) === 'known');
		expect(knownTo(memory)).toEqual(['a', 'c', 'd']);
		expect(knownTo(restored(memory, 2))).toEqual(['a', 'd']);
	});

	it('continues evicting behind the last eviction', () => {
		const looks = jest.spyOn(Map.prototype, 'keys');
		const memory = new SeenSet('', 100);
		for (let key = 0; key < 1_000; key += 1) memory.add(String(key));
		const count = looks.mock.calls.length;
		looks.mockRestore();

		// A map that lost its first entries passes each of them again when it is begun anew.
		expect(count).toBeLessThanOrEqual(1);
		expect(memory.hashes).toEqual(Array.from({ length: 100 }, (_, key) => keyHash(`${900 + key}`)));
	});

	it('takes 17 characters per key', () => {
		const memory = new SeenSet('', 100);
		memory.add('a', 'state');
		memory.add('b');
		memory.add('b');

		expect(memory.toString()).toHaveLength(34);
		expect(restored(memory).toString()).toBe(memory.toString());
	});

	it('deletes a key by its hash', () => {
		const memory = new SeenSet('', 100);
		for (const key of ['a', 'b']) memory.add(key, 'state');
		expect(memory.hashes).toEqual(['a', 'b'].map(keyHash));
		memory.forget(keyHash('a'));

		expect([memory.statusOf('a', 'state'), memory.statusOf('b', 'state')]).toEqual([
			'new',
			'known',
		]);
		expect(restored(memory).hashes).toEqual([keyHash('b')]);
	});

	it.each([[undefined], [null], [7], [{}], ['too short']])('is empty for stored %j', (stored) => {
		expect(new SeenSet(stored, 10).toString()).toBe('');
	});
});
