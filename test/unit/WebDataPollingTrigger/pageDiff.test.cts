import {
	fieldChanges,
	flatFields,
	textDiff,
	unifiedDiff,
	withChanges,
} from '../../../nodes/WebDataPollingTrigger/pageDiff';

const exact = { minChange: 0, minChangeUnit: 'absolute' } as const;

describe('The difference of two texts', () => {
	it('has removed and added lines', () => {
		expect(textDiff('a\nb\nc', 'a\nx\nc')).toEqual({ text: '-b\n+x' });
	});

	it('counts equal lines', () => {
		expect(textDiff('a\na', 'a\na\na')).toEqual({ text: '+a' });
	});

	it('is bounded', () => {
		const lines = Array.from({ length: 200 }, (_, index) => `${index} ${'x'.repeat(500)}`);
		const { text, isTruncated } = textDiff('', lines.join('\n'));
		expect(isTruncated).toBe(true);
		expect(String(text).length).toBeLessThan(31_000);
	});

	it('is that of the service, without ignored lines', () => {
		const text = '--- previous\n+++ current\n@@ -1,3 +1,3 @@\n same\n-old\n+new\n+Now 12:01';
		expect(unifiedDiff(text, (line) => !line.startsWith('Now'))).toEqual({ text: '-old\n+new' });
	});
});

describe('The difference of fields', () => {
	it('names nested fields by their path', () => {
		const [before, now] = [
			{ offer: { price: 1, tags: ['a'] } },
			{ offer: { price: 2, tags: ['a'] } },
		];
		expect(fieldChanges(flatFields(before), flatFields(now), exact)).toEqual([
			{ field: 'offer.price', previous: 1, current: 2 },
		]);
	});

	it.each([
		[100, 104, 5, 'absolute', false],
		[100, 105, 5, 'absolute', true],
		[200, 209, 5, 'percent', false],
		[200, 190, 5, 'percent', true],
		[0, 1, 5, 'percent', true],
		[1.1, 1.2, 0.1, 'absolute', true],
		[19.9, 18.905, 5, 'percent', true],
		['100', '104.50', 5, 'absolute', false],
		['100', 105, 5, 'absolute', true],
		['9.50', 9.5, 0, 'absolute', false],
		['007', '7', 0, 'absolute', true],
		['1.000,00', '1.000,01', 5, 'absolute', true],
		['', '0', 5, 'absolute', true],
		[null, 1, 5, 'absolute', true],
		[1, null, 5, 'absolute', true],
		[null, undefined, 0, 'absolute', false],
	] as const)(
		'from %j to %j at least %j %s counts: %j',
		(previous, current, minChange, unit, counts) => {
			const changes = fieldChanges(
				{ price: previous },
				{ price: current },
				{ minChange, minChangeUnit: unit },
			);
			expect(changes).toHaveLength(counts ? 1 : 0);
		},
	);

	it('counts a field that is missing', () => {
		expect(fieldChanges({ price: 1 }, {}, exact)).toEqual([
			{ field: 'price', previous: 1, current: null },
		]);
	});

	it('leaves the other fields as they were, so that small changes add up', () => {
		const [before, now] = [
			{ price: 100, stock: 'yes', old: 1 },
			{ price: 104, stock: 'no', size: 'L' },
		];
		const changes = fieldChanges(before, now, { minChange: 5, minChangeUnit: 'absolute' });

		expect(withChanges(before, now, changes)).toEqual({ price: 100, stock: 'no', size: 'L' });
	});
});
