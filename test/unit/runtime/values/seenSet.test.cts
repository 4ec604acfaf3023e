import * as fc from 'fast-check';
import { fingerprint, keyMark, SeenSet } from '../../../../nodes/runtime/values/seenSet';

describe('a fingerprint', () => {
	it('has the length asked for, and is the same every time', () => {
		expect(fingerprint('a', 11)).toMatch(/^[\w-]{11}$/);
		expect(fingerprint('a', 11)).toBe(fingerprint('a', 11));
		expect(fingerprint('a', 11)).not.toBe(fingerprint('b', 11));
	});
});

describe('a memory', () => {
	const restored = (memory: SeenSet, bound = 100) => new SeenSet(memory.toString(), bound);

	it('knows what it was told, after a restart, too', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.string()), fc.uniqueArray(fc.string()), (told, asked) => {
				const memory = new SeenSet('', 1_000);
				for (const key of told) memory.remember(key);
				for (const key of [...told, ...asked]) {
					const expected = told.includes(key) ? 'known' : 'new';
					expect(memory.statusOf(key)).toBe(expected);
					expect(restored(memory, 1_000).statusOf(key)).toBe(expected);
				}
			}),
		);
	});

	it('knows in which state it saw something', () => {
		const memory = new SeenSet('', 100);
		memory.remember('a', 'green');

		expect(memory.statusOf('a', 'green')).toBe('known');
		expect(memory.statusOf('a', 'ripe')).toBe('changed');
		expect(memory.statusOf('a')).toBe('known');
		expect(restored(memory).statusOf('a', 'ripe')).toBe('changed');
	});

	it('takes no state for changed that it does not know', () => {
		const memory = new SeenSet('', 100);
		memory.remember('a');
		memory.remember('b', 'green');
		memory.forgetStates();

		for (const each of [memory, restored(memory)]) {
			expect(each.statusOf('a', 'ripe')).toBe('known');
			expect(each.statusOf('b', 'ripe')).toBe('known');
			expect(each.statusOf('c', 'ripe')).toBe('new');
		}
	});

	it('forgets what it has not seen for the longest time', () => {
		const memory = new SeenSet('', 3);
		for (const key of ['a', 'b', 'c', 'a', 'd']) memory.remember(key);

		const knownTo = (each: SeenSet) =>
			['a', 'b', 'c', 'd'].filter((key) => each.statusOf(key) === 'known');
		expect(knownTo(memory)).toEqual(['a', 'c', 'd']);
		expect(knownTo(restored(memory, 2))).toEqual(['a', 'd']);
	});

	it('looks for the oldest where it left off, however much it forgets', () => {
		const looks = jest.spyOn(Map.prototype, 'keys');
		const memory = new SeenSet('', 100);
		for (let key = 0; key < 1_000; key += 1) memory.remember(String(key));
		const count = looks.mock.calls.length;
		looks.mockRestore();

		// A map that lost its first entries passes each of them again when it is begun anew.
		expect(count).toBeLessThanOrEqual(1);
		expect(memory.marks).toEqual(Array.from({ length: 100 }, (_, key) => keyMark(`${900 + key}`)));
	});

	it('takes 17 characters for each', () => {
		const memory = new SeenSet('', 100);
		memory.remember('a', 'state');
		memory.remember('b');
		memory.remember('b');

		expect(memory.toString()).toHaveLength(34);
		expect(restored(memory).toString()).toBe(memory.toString());
	});

	it('forgets a key by the mark under which it keeps it', () => {
		const memory = new SeenSet('', 100);
		for (const key of ['a', 'b']) memory.remember(key, 'state');
		expect(memory.marks).toEqual(['a', 'b'].map(keyMark));
		memory.forget(keyMark('a'));

		expect([memory.statusOf('a', 'state'), memory.statusOf('b', 'state')]).toEqual([
			'new',
			'known',
		]);
		expect(restored(memory).marks).toEqual([keyMark('b')]);
	});

	it.each([[undefined], [null], [7], [{}], ['too short']])(
		'begins with nothing when %j was stored',
		(stored) => {
			expect(new SeenSet(stored, 10).toString()).toBe('');
		},
	);
});
