import fc from 'fast-check';
import { seed } from './fuzzRun.cjs';
import type { Findings } from './findings.cjs';

/** Draws are made until the defect is found, but not for ever: a fuzz run makes several times as many. */
const mostDraws = 300;

/** What a fuzz run reports of a planted defect: the findings of the first draws that have one like this. */
export async function reported<Setup>(
	setups: fc.Arbitrary<Setup>,
	findingsOf: (setup: Setup) => Promise<Findings>,
	wanted: RegExp,
): Promise<string | undefined> {
	for (const setup of fc.sample(setups, { seed, numRuns: mostDraws })) {
		const found = (await findingsOf(setup)).find((finding) => wanted.test(finding));
		if (found !== undefined) return found;
	}
	return undefined;
}
