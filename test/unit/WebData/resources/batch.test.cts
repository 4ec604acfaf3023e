import { retrySafetyOf } from '../../../../nodes/runtime/http/client';
import { batchStart } from '../../../../nodes/WebData/documents/batch';
import { ValidationFailure } from '../../../../nodes/runtime/form/schema';
import { batchRequest, mergeBatches } from '../../../../nodes/WebData/resources/batch';
import { accepted } from '../../schemaAssertions.cjs';

const body = (urls: string[], rest: object = {}) =>
	accepted(batchRequest.schema, { urls, ...rest });

describe('one batch of several items', () => {
	it('has the addresses of all, each once, in their order', () => {
		const bodies = [
			body(['https://a.example/', 'https://b.example/'], { maxConcurrency: 2 }),
			body(['https://B.example', 'c.example', 'https://a.example/'], { maxConcurrency: 2 }),
		];

		expect(mergeBatches(bodies)).toEqual({
			urls: ['https://a.example/', 'https://b.example/', 'c.example'],
			maxConcurrency: 2,
		});
	});

	it('keeps addresses apart that are not the same page', () => {
		const urls = [
			'http://a.example/',
			'https://a.example/',
			'https://a.example/?b',
			'https://a.example/x/',
			'https://a.example/x',
		];

		expect(mergeBatches([body(urls)])).toEqual({ urls });
	});

	it.each([
		[{ maxConcurrency: 2 }, { maxConcurrency: 3 }],
		[{ formats: ['markdown'] }, {}],
		[{ ignoreInvalidURLs: true }, { ignoreInvalidURLs: false }],
	])('is refused with %j beside %j', (one, other) => {
		const bodies = [body(['https://a.example/'], one), body(['https://a.example/'], other)];

		expect(mergeBatches(bodies)).toBeInstanceOf(ValidationFailure);
	});
});

describe("a batch's start", () => {
	it.each([[{}], [{ ignoreInvalidURLs: false }], [{ ignoreInvalidURLs: true }]])(
		'of %j says whether invalid addresses are left out only where that is set',
		(rest) => {
			expect(batchStart(body(['https://a.example/'], rest)).body).toStrictEqual({
				urls: ['https://a.example/'],
				...rest,
			});
		},
	);

	it('has no key, for the service knows none of batches', () => {
		const start = batchStart(body(['https://a.example/']));
		expect([start.headers, retrySafetyOf(start)]).toEqual([undefined, 'mayStartTwice']);
	});

	it('is looked up by its first URL', () => {
		const start = batchStart(body(['https://a.example/', 'https://b.example/']));
		expect(start.jobLookup?.target).toBe('https://a.example/');
	});

	it('that adds to an earlier batch is not looked for: no list shows it', () => {
		const appendToId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
		expect(batchStart(body(['https://a.example/'], { appendToId })).jobLookup).toBeUndefined();
	});
});
