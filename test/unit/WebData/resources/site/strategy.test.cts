import { keyHash } from '../../../../../nodes/runtime/values/seenSet';
import {
	isDue,
	chooseStrategy,
	type Choice,
} from '../../../../../nodes/WebData/resources/site/strategy';

const way = (more: Partial<Choice>) =>
	chooseStrategy({ strategy: 'auto', rescrapeEvery: 1, known: 100, isUnlisted: false, ...more });

describe('how a website is read', () => {
	it('is a crawl where all pages are read, and where nothing is known', () => {
		expect(way({})).toBe('crawl');
		expect(way({ known: 0, rescrapeEvery: 7 })).toBe('crawl');
	});

	it('is a map where only a part of the pages is read, and that is cheaper', () => {
		expect(way({ rescrapeEvery: 7 })).toBe('map');
		expect(way({ rescrapeEvery: 7, known: 2 })).toBe('crawl');
	});

	it('is a crawl where a map lacks pages', () => {
		expect(way({ rescrapeEvery: 7, isUnlisted: true })).toBe('crawl');
	});

	it('is what the user says', () => {
		expect(way({ strategy: 'map' })).toBe('map');
		expect(way({ strategy: 'crawl', rescrapeEvery: 7 })).toBe('crawl');
	});
});

describe('a known page', () => {
	it('is due once in so many runs, about the same number at each', () => {
		const ids = Array.from({ length: 700 }, (_, index) => keyHash(String(index)));
		const runs = Array.from({ length: 7 }, (_, run) => ids.filter((id) => isDue(id, run, 7)));

		expect(runs.flat().sort()).toEqual([...ids].sort());
		expect(Math.min(...runs.map(({ length }) => length))).toBeGreaterThan(60);
		expect(ids.every((id) => isDue(id, 3, 1))).toBe(true);
	});
});
