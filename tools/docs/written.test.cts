import { useTestBed } from '../../test/engine/testBed.cjs';
import { staleFiles } from './written.cjs';

describe('what is written from the descriptions of the nodes', () => {
	const testBed = useTestBed();

	it('is up to date; else run: npm run docs', async () => {
		const { changed, gone } = await staleFiles(testBed);

		expect([...changed.keys(), ...gone]).toEqual([]);
		// It runs every operation.
	}, 300_000);
});
