import type { INodeParameters } from 'n8n-workflow';
import { everyScrapeOption, everyScrapeOptionSent, someActions } from '../everyScrapeOption.cjs';
import { storms, tables, tides, useDocumentJobs } from '../documentJobs.cjs';

interface State {
	/** What the user set in the editor, beside the address of one page. */
	set: INodeParameters;
	/** What the API gets, beside that address and the word on invalid ones. */
	sent: object;
}

// Nobody listens there: the deliveries fail at once.
const hook = 'http://127.0.0.1:9/hook';
const schema = { type: 'object', properties: { title: { type: 'string' } } };
const also = (additionalFields: INodeParameters, sent: object): State => ({
	set: { additionalFields },
	sent,
});

/** Every field once on its own; what goes over the wire is what was set and nothing else. */
const states: Record<string, State> = {
	'nothing but the address': { set: {}, sent: {} },
	'nothing that was left empty': {
		set: {
			formats: [],
			additionalFields: {
				appendToId: '',
				requestJson: '{}',
				webhook: {},
			},
			scrapeOptions: { headers: {}, location: {}, threatProtection: {} },
		},
		sent: {},
	},
	'the formats at top level': {
		set: {
			formats: ['markdown', 'json', 'screenshot'],
			jsonSchemaType: 'schema',
			jsonSchema: JSON.stringify(schema),
			screenshotFullPage: true,
		},
		sent: {
			formats: [
				{ type: 'markdown' },
				{ type: 'json', schema },
				{ type: 'screenshot', fullPage: true },
			],
		},
	},
	'markdown alone, which the service makes anyway': { set: { formats: ['markdown'] }, sent: {} },
	'formats by expression': {
		set: { formats: '={{ "markdown, links" }}' },
		sent: { formats: [{ type: 'markdown' }, { type: 'links' }] },
	},
	'every scrape option at top level': {
		set: { actions: someActions, scrapeOptions: everyScrapeOption },
		sent: everyScrapeOptionSent,
	},
	'a wish to leave out invalid addresses': also(
		{ ignoreInvalidURLs: true },
		{ ignoreInvalidURLs: true },
	),
	'a wish not to': also({ ignoreInvalidURLs: false }, { ignoreInvalidURLs: false }),
	'how many pages at once': also({ maxConcurrency: 1 }, { maxConcurrency: 1 }),
	'zero data retention': also({ zeroDataRetention: true }, { zeroDataRetention: true }),
	'no zero data retention': also({ zeroDataRetention: false }, { zeroDataRetention: false }),
	'a webhook': also(
		{
			webhook: {
				url: hook,
				headers: [{ name: 'X-Case', value: '7' }],
				metadata: [{ name: 'row', value: '12' }],
				events: ['page', 'completed'],
			},
		},
		{
			webhook: {
				url: hook,
				headers: { 'X-Case': '7' },
				metadata: { row: '12' },
				events: ['page', 'completed'],
			},
		},
	),
	'a webhook for all events': also(
		{ webhook: { url: hook, events: [] } },
		{ webhook: { url: hook } },
	),
	"members in the API's own shape": also(
		{ maxConcurrency: 5, requestJson: '{"formats": ["links"], "maxConcurrency": 3}' },
		{ formats: [{ type: 'links' }], maxConcurrency: 3 },
	),
};

describe("a batch's request", () => {
	const jobs = useDocumentJobs('batch');

	it.each(Object.entries(states))('holds %s', async (_name, { set, sent }) => {
		const run = await jobs.run('start', { urls: tides, ...set });

		expect(run.error?.message).toBeUndefined();
		expect(jobs.bodies).toEqual([{ urls: [tides], ...sent }]);
	});

	it.each([
		['additionalFields', 6],
		['scrapeOptions', 23],
	])('can hold every field that the editor shows in %s', (collection, count) => {
		const shown = jobs.fieldsIn(collection, 'start');
		const covered = Object.values(states).flatMap(({ set }) => Object.keys(set[collection] ?? {}));

		expect(shown).toHaveLength(count);
		expect(shown).toEqual(jobs.fieldsIn(collection, 'run'));
		expect([...new Set(covered)].sort()).toEqual(shown);
	});

	it('is the same for Run as for Start', async () => {
		const parameters = {
			urls: tides,
			formats: ['links'],
			scrapeOptions: { onlyMainContent: false },
			additionalFields: { maxConcurrency: 2 },
		};

		await jobs.run('start', parameters);
		await jobs.run('run', { ...parameters, wait: 'none', returnFailed: true, output: 'response' });

		const [start, run] = jobs.bodies;
		expect(run).toEqual(start);
	});

	it.each<[string, INodeParameters[string], string[]]>([
		['one address', tides, [tides]],
		['commas', `${tides}, ${storms},${tables}`, [tides, storms, tables]],
		['new lines', `${tides}\n${storms}\n\n${tables}\n`, [tides, storms, tables]],
		['a list by expression', `={{ ["${tides}", "${storms}"] }}`, [tides, storms]],
		['JSON text', `["${tides}", "${storms}"]`, [tides, storms]],
		['an address with a comma', 'https://tidewatch.example/a,b', ['https://tidewatch.example/a,b']],
		['the same twice', `${tides}, ${storms}, ${tides}`, [tides, storms]],
		['no scheme', 'tidewatch.example/guides', ['tidewatch.example/guides']],
	])('takes the addresses from %s', async (_name, urls, sent) => {
		const run = await jobs.run('start', { urls });

		expect(run.error?.message).toBeUndefined();
		expect(jobs.bodies).toMatchObject([{ urls: sent }]);
	});

	it('answers with the job at once when it is only started', async () => {
		const run = await jobs.run('start', { urls: `${tides}, ${storms}` });

		const [{ json, pairedItem }, ...more] = run.output();
		expect(more).toEqual([]);
		expect(jobs.job(json.jobId).status).toBe('scraping');
		expect(pairedItem).toEqual({ item: 0 });
		expect(jobs.requests).toEqual(['POST /v2/batch/scrape']);
	});

	it('says at once which addresses the service left out', async () => {
		const run = await jobs.run('start', {
			urls: `${tides}, nohost, ftp://tidewatch.example/`,
			additionalFields: { ignoreInvalidURLs: true },
		});

		expect(run.output()[0].json.request).toEqual({
			invalidURLs: ['nohost', 'ftp://tidewatch.example/'],
		});
	});

	it('adds to an earlier batch', async () => {
		const account = jobs.testBed.account();
		const first = await jobs.run('run', { urls: tides }, { account });
		const { jobId } = first.output()[0].json;

		const run = await jobs.run(
			'run',
			{ urls: storms, additionalFields: { appendToId: String(jobId) } },
			{ account },
		);

		expect(jobs.bodies[1]).toEqual({ urls: [storms], appendToId: jobId });
		// What this run asked for comes first; what the batch had before belongs to it all the same.
		expect(run.output().map(({ json }) => [json.jobId, json.request])).toMatchObject([
			[jobId, { completed: 2 }],
			[jobId, { completed: 2 }],
		]);
		expect(jobs.charges).toEqual([
			[jobId, 1],
			[jobId, 1],
		]);
	});
});
