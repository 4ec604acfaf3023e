import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** The seed of the unit tests' properties: they draw the same in every run, so that a failure returns. */
export const propertySeed = 77;

/** Numbers below 1 that look random and are the same every time. */
export function seededRandom(seed: number): () => number {
	const generator = xoroshiro128plus(seed);
	return () => uniformFloat64(generator);
}
