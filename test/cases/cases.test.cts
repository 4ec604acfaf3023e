import { useTestBed } from '../engine/testBed.cjs';
import { caseNames, outcomeNow } from './cases.cjs';
import { currentVersion, isUnreleased, readSet, savedVersions } from './sets.cjs';

/** Workflows that were saved with a version do the same for ever. */
describe.each(savedVersions())('the cases of version %s', (version) => {
	const testBed = useTestBed();
	const set = readSet(version);

	it.each(set)('%s sends what it always sent, and returns the same items', async (name, saved) => {
		const { requests, items } = saved;
		expect(requests).not.toEqual([]);
		expect(await outcomeNow(testBed, name, saved)).toEqual({ requests, items });
	});

	it('are one for each operation and trigger that it had', () => {
		const names = set.map(([name]) => name);
		// What is being worked on has all of today; `npm run docs` writes them.
		const all = isUnreleased(version)
			? caseNames
			: names.filter((name) => caseNames.includes(name));
		expect(names.sort()).toEqual(all);
	});
});

it('the version that is being worked on has its cases', () => {
	expect(savedVersions()).toContain(currentVersion());
});
