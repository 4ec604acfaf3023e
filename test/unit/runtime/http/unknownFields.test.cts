import type { Failure } from '../../../../nodes/runtime/api/retry';
import { withoutUnknownFields } from '../../../../nodes/runtime/http/unknownFields';

const refusal = (details: unknown, status = 400): Failure => ({
	response: { status, headers: {}, body: { success: false, error: 'Bad Request', details } },
});

const unknown = (keys: string[], ...path: Array<string | number>) => ({
	code: 'unrecognized_keys',
	keys,
	path,
	message: 'Unrecognized key in body',
});

const body = {
	query: 'tides',
	lang: 'de',
	scrapeOptions: { formats: ['markdown', { type: 'json', prompt: 'p', extra: 1 }], fresh: true },
};

/** What a union at the second format says, in its own member for the problems of its branches. */
const union = (branches: object) => ({
	code: 'invalid_union',
	path: ['scrapeOptions', 'formats', 1],
	message: 'Invalid input',
	...branches,
});

const { query, scrapeOptions } = body;
const withoutExtra = {
	...body,
	scrapeOptions: { ...scrapeOptions, formats: ['markdown', { type: 'json', prompt: 'p' }] },
};

describe('a request without the fields that the server does not know', () => {
	it.each<[string, object[], object, unknown[]]>([
		['at the top', [unknown(['lang'])], { query, scrapeOptions }, [['lang']]],
		[
			'at several depths',
			[unknown(['lang']), unknown(['fresh'], 'scrapeOptions')],
			{ query, scrapeOptions: { formats: scrapeOptions.formats } },
			[['lang'], ['scrapeOptions', 'fresh']],
		],
		[
			'in a union of zod 4',
			[
				union({
					errors: [[{ code: 'invalid_value', path: [], message: 'no' }], [unknown(['extra'])]],
				}),
			],
			withoutExtra,
			[['scrapeOptions', 'formats', 1, 'extra']],
		],
		[
			'in a union of zod 3',
			[union({ unionErrors: [{ issues: [unknown(['extra'], 'scrapeOptions', 'formats', 1)] }] })],
			withoutExtra,
			[['scrapeOptions', 'formats', 1, 'extra']],
		],
	])('has the others as they are: %s', (_, details, rest, left) => {
		const before = structuredClone(body);
		expect(withoutUnknownFields({ body }, refusal(details))).toEqual({
			parts: { body: rest },
			left,
		});
		expect(body).toEqual(before);
	});

	it('is that of a query, too', () => {
		const query = { query: 'tides', k: 3 };
		expect(withoutUnknownFields({ query }, refusal([unknown(['k'])]))).toEqual({
			parts: { query: { query: 'tides' } },
			left: [['k']],
		});
	});

	it('is the part of JSON of a form, whose file stays', async () => {
		const form = new FormData();
		form.append('options', JSON.stringify({ formats: ['markdown'], lang: 'de' }));
		form.append('file', new File(['<p>'], 'a.html', { type: 'text/html' }));

		const rest = withoutUnknownFields({ body: form }, refusal([unknown(['lang'])]));

		const sent = rest?.parts.body;
		if (!(sent instanceof FormData)) throw new Error('no form');
		const file = sent.get('file');
		expect([...sent.keys()]).toEqual(['options', 'file']);
		expect(JSON.parse(String(sent.get('options')))).toEqual({ formats: ['markdown'] });
		expect(file instanceof File && [file.name, file.type, await file.text()]).toEqual([
			'a.html',
			'text/html',
			'<p>',
		]);
	});

	it.each<[string, Failure]>([
		['another refusal', refusal([{ code: 'custom', path: ['lang'], message: 'no' }])],
		['another status', refusal([unknown(['lang'])], 422)],
		['no answer', { networkError: { code: 'ECONNRESET', message: 'lost' } }],
		['a field that was not sent', refusal([unknown(['other'])])],
		['one of two that was not sent', refusal([unknown(['lang', 'other'])])],
	])('is none after %s', (_, failure) => {
		expect(withoutUnknownFields({ body }, failure)).toBeUndefined();
	});

	it('is none where nothing would be left', () => {
		const details = [unknown(['alexandria'])];
		expect(withoutUnknownFields({ body: { alexandria: [] } }, refusal(details))).toBeUndefined();
	});

	it.each(['limit', 'maxCredits', 'redactPII', 'lockdown', 'zeroDataRetention'])(
		'never lacks %s, which limits costs or protects data',
		(name) => {
			const given = { ...body, [name]: 1, scrapeOptions: { [name]: 1 } };
			const top = refusal([unknown([name])]);
			const inside = refusal([unknown([name], 'scrapeOptions')]);
			expect(withoutUnknownFields({ body: given }, top)).toBeUndefined();
			expect(withoutUnknownFields({ body: given }, inside)).toBeUndefined();
		},
	);
});
