import * as fc from 'fast-check';
import { fingerprint, SeenSet } from '../../../../nodes/runtime/values/seenSet';
import { propertySeed } from '../../../seededRandom.cjs';

describe('A hash', () => {
	it('has the requested length and is stable', () => {
		expect(fingerprint('a', 11)).toMatch(/^[\w-]{11}$/);
		expect(fingerprint('a', 11)).toBe(fingerprint('a', 11));
		expect(fingerprint('a', 11)).not.toBe(fingerprint('b', 11));
	});
});

describe('A set of seen keys', () => {
	it('knows its keys, also after a restart', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.string()), fc.uniqueArray(fc.string()), (told, asked) => {
				const memory = new SeenSet('', 1_000);
				for (const key of told) memory.add(key);
				for (const each of [memory, new SeenSet(memory.toString(), 1_000)]) {
					for (const key of [...told, ...asked]) expect(each.has(key)).toBe(told.includes(key));
				}
			}),
			{ seed: propertySeed },
		);
	});

	it('forgets the least recently seen beyond its bound, also when it is restored', () => {
		const memory = new SeenSet('', 2);
		for (const key of ['a', 'b', 'a', 'c']) memory.add(key);

		expect(['a', 'b', 'c'].filter((key) => memory.has(key))).toEqual(['a', 'c']);
		expect(new SeenSet(memory.toString(), 1).has('a')).toBe(false);
	});

	it('takes the keys of another as more recently seen', () => {
		const memory = new SeenSet('', 2);
		memory.add('a');
		const other = new SeenSet('', 2);
		for (const key of ['b', 'c']) other.add(key);

		memory.addAll(other);

		expect(['a', 'b', 'c'].filter((key) => memory.has(key))).toEqual(['b', 'c']);
	});
});
