import { markUnknownCredits } from '../../../../nodes/runtime/http/credits';

const marked = (body: unknown) => {
	markUnknownCredits(body);
	return body;
};

/** Answers and deliveries, each with credits that the service does not know. */
const places = [
	(creditsUsed: unknown) => ({ success: true, creditsUsed }),
	(creditsUsed: unknown) => ({ data: { creditsUsed } }),
	(creditsUsed: unknown) => ({ data: { markdown: '', metadata: { creditsUsed } } }),
	(creditsUsed: unknown) => ({ data: [{ markdown: '', metadata: { creditsUsed } }] }),
	(creditsUsed: unknown) => ({ data: { web: [{ url: '', metadata: { creditsUsed } }] } }),
	(creditsUsed: unknown) => ({ agents: [{ id: '', creditsUsed }] }),
];

describe('credits that the service does not know', () => {
	it.each(places)('are null: %o', (body) => {
		expect(marked(body(-1))).toEqual(body(null));
	});

	it.each(places)('are left alone when it does: %o', (body) => {
		for (const credits of [0, 3, 1.5, null, 'none']) {
			expect(marked(body(credits))).toEqual(body(credits));
		}
	});

	it('are not looked for in what was read from a page', () => {
		const read = () => ({ data: { json: { creditsUsed: -1 }, metadata: { title: '' } } });

		expect(marked(read())).toEqual(read());
	});

	it.each([[null], [undefined], ['text'], [5], [[]], [[null]], [{ data: null }]])(
		'are not looked for in %j',
		(body) => {
			expect(() => marked(body)).not.toThrow();
		},
	);
});
