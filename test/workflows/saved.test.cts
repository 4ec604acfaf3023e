import { useTestBed } from '../engine/testBed.cjs';
import { requestsNow, savedNames } from './saved.cjs';
import { currentVersion, isUnreleased, readSet, savedVersions } from './sets.cjs';

/** Workflows that were saved with a version send the same for ever. */
describe.each(savedVersions())('the workflows of version %s', (version) => {
	const testBed = useTestBed();
	const set = readSet(version);

	it.each(set)('%s sends what it always sent', async (name, saved) => {
		expect(saved.requests).not.toEqual([]);
		expect(await requestsNow(testBed, name, saved)).toEqual(saved.requests);
	});

	it('are one for each operation and trigger that it had', () => {
		const names = set.map(([name]) => name);
		// What is being worked on has all of today; `npm run docs` writes them.
		const all = isUnreleased(version)
			? savedNames
			: names.filter((name) => savedNames.includes(name));
		expect(names.sort()).toEqual(all);
	});
});

it('the version that is being worked on has its workflows', () => {
	expect(savedVersions()).toContain(currentVersion());
});
