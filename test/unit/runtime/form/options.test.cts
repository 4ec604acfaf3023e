import {
	settingsFields,
	settingsReader,
	settingsSchema,
} from '../../../../nodes/runtime/form/options';
import { accepted, refusals } from '../../schemaAssertions.cjs';

describe("the node's own settings", () => {
	it("are the spec's five tries and 30 seconds when nothing is set", () => {
		expect(accepted(settingsSchema, {})).toMatchObject({
			cancelJob: true,
			downloadFiles: false,
			keepFields: [],
			maxBackoff: 30,
			maxTries: 5,
			maxWait: 30,
			onTimeout: 'error',
			retryUnclearStarts: false,
		});
	});

	it('take what the editor and expressions give', () => {
		expect(
			accepted(settingsSchema, {
				outputOptions: {
					downloadFiles: 'true',
					keepFields: 'title, metadata.statusCode',
				},
				retries: { maxBackoff: '60', maxRetryTime: 0, maxTries: 1, retryUnclearStarts: true },
				limits: { maxConcurrency: '100' },
			}),
		).toMatchObject({
			downloadFiles: true,
			keepFields: ['title', 'metadata.statusCode'],
			maxBackoff: 60,
			maxRetryTime: 0,
			maxTries: 1,
			retryUnclearStarts: true,
			maxConcurrency: 100,
		});
	});

	it('take part of a minute, none at all, and years to wait for a job', () => {
		for (const maxWait of [0, 0.05, 1_000_000]) {
			expect(accepted(settingsSchema, { maxWait }).maxWait).toBe(maxWait);
		}
	});

	it.each<[Record<string, unknown>, string]>([
		[{ retries: { maxTries: 0 } }, 'retries maxTries must be a whole number from 1 to 100, not 0'],
		[
			{ limits: { maxConcurrency: 101 } },
			'limits maxConcurrency must be a whole number from 1 to 100, not 101',
		],
		[
			{ retries: { maxRetryTime: -1 } },
			'retries maxRetryTime must be a whole number from 0 to 86,400 seconds, not -1',
		],
		[{ maxWait: -1 }, 'maxWait must be a number of at least 0 minutes, not -1'],
		[{ waiting: { onTimeout: 'wait' } }, 'waiting onTimeout must be one of item, error, not wait'],
		[
			{ retries: { maxBackoff: 'long' } },
			'retries maxBackoff must be a whole number from 1 to 3,600 seconds, not long',
		],
		[{ retries: 'often' }, 'retries must be an object'],
	])('refuse %j', (given, words) => {
		expect(refusals(settingsSchema, given)).toEqual([words]);
	});
});

describe('the output options', () => {
	it('are those of the results of the operation, in the order of the names', () => {
		const [output] = settingsFields({ documents: true, page: true });
		expect(output.options?.map(({ name }) => name)).toEqual([
			'keepFields',
			'jsonOutput',
			'markUntrusted',
			'maxMarkdownLength',
			'maxToolResultLength',
			'onPageError',
			'onlyChanged',
			'simplify',
		]);
	});

	it('are also read from an expression, as text', () => {
		const outputOptions = '{"maxMarkdownLength":"500","simplify":"false","downloadFiles":true}';
		expect(accepted(settingsSchema, { outputOptions })).toMatchObject({
			maxMarkdownLength: 500,
			simplify: false,
			downloadFiles: true,
		});
	});

	it('are refused if one is not known', () => {
		expect(refusals(settingsSchema, { outputOptions: { pages: 2 } })).toHaveLength(1);
	});
});

describe('the settings above the groups', () => {
	it.each<[object, string]>([
		[{ wait: 'forever' }, 'wait must be one of none, poll, suspend, not forever'],
		[
			{ output: 'pages' },
			'output must be one of results, auto, entries, result, response, not pages',
		],
		[{ returnFailed: 'maybe' }, 'returnFailed must be true or false, not maybe'],
		[{ inputItems: 'all' }, 'inputItems must be one of together, each, not all'],
	])('are refused before anything is sent: %j', (given, words) => {
		expect(refusals(settingsSchema, given)).toEqual([words]);
	});
});

describe('the settings of several items', () => {
	it('are read once where they are the same values, and anew where one of them is another', () => {
		const read = settingsReader();
		const limits = { maxConcurrency: 7 };
		const first = read({ limits, url: 'one' });
		expect(first.data?.maxConcurrency).toBe(7);
		expect(read({ limits, url: 'two' })).toBe(first);
		expect(read({ limits, maxWait: 5 }).data).toMatchObject({ maxConcurrency: 7, maxWait: 5 });
		expect(read({ limits: { maxConcurrency: 0 } }).success).toBe(false);
		expect(read({ limits }).data?.maxConcurrency).toBe(7);
	});
});
