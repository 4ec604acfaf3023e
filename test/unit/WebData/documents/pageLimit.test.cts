import { nextPageLimit } from '../../../../nodes/WebData/documents/documentJob';

const pageOf = (count: number, length: number) =>
	Array.from({ length: count }, () => ({ markdown: 'x'.repeat(length) }));

describe('the limit of the next page of documents', () => {
	it.each([
		// As many as make about two million characters.
		[10, 200_000, 10],
		[4, 20_000, 100],
		[1, 500_000, 4],
		// At least one, at most what the service allows.
		[3, 2_000_001, 1],
		[10, 500, 1000],
		[10, 0, 1000],
	])('is after %i documents of %i characters %i', (count, length, limit) => {
		expect(nextPageLimit(pageOf(count, length))).toBe(limit);
	});

	it('counts texts wherever they are', () => {
		const text = 'x'.repeat(100_000);
		const document = {
			links: [text, text],
			metadata: { title: text, languages: [text], none: null },
		};

		expect(nextPageLimit([document])).toBe(4);
	});
});
