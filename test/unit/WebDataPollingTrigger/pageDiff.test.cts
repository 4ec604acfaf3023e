import {
	fieldChanges,
	flatFields,
	textDiff,
	unifiedDiff,
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
	] as const)(
		'from %d to %d at least %d %s counts: %s',
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
});
