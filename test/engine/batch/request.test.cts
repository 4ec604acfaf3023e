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

/** Panels and the request that each stands for. What a field sends on its own is asked in test/unit/WebData. */
const states: Record<string, State> = {
	'nothing but the address': { set: {}, sent: {} },
	'nothing that was left empty': {
		set: {
			formats: ['markdown'],
			additionalFields: {
				appendToId: '',
				requestJson: '{}',
				webhook: {},
				headers: {},
				location: {},
			},
		},
		sent: {},
	},
	'every field': {
		set: {
			formats: ['markdown', 'screenshot'],
			screenshotFullPage: true,
			additionalFields: {
				...everyScrapeOption,
				actions: someActions,
				ignoreInvalidURLs: false,
				maxConcurrency: 1,
				webhook: {
					url: hook,
					events: ['page', 'completed'],
				},
			},
		},
		sent: {
			formats: [{ type: 'markdown' }, { type: 'screenshot', fullPage: true }],
			...everyScrapeOptionSent,
			ignoreInvalidURLs: false,
			maxConcurrency: 1,
			webhook: {
				url: hook,
				events: ['page', 'completed'],
			},
		},
	},
};

describe("a batch's request", () => {
	const jobs = useDocumentJobs('batch');

	it.each(Object.entries(states))('holds %s', async (_name, { set, sent }) => {
		const run = await jobs.run('start', { urls: tides, ...set });

		expect(run.error?.message).toBeUndefined();
		expect(jobs.bodies).toEqual([{ urls: [tides], ...sent }]);
	});

	it('can hold every field that the editor shows', () => {
		const shown = jobs.fieldsIn('additionalFields', 'start');
		const covered = Object.values(states).flatMap(({ set }) =>
			Object.keys(set.additionalFields ?? {}),
		);

		expect(shown).toHaveLength(20);
		expect(shown).toEqual(jobs.fieldsIn('additionalFields', 'run'));
		expect([...new Set(covered)].sort()).toEqual(shown);
	});

	it.each<[string, INodeParameters[string], string[]]>([
		['commas and new lines', `${tides}, ${storms}\n\n${tables}\n`, [tides, storms, tables]],
		['a list by expression', `={{ ["${tides}", "${storms}"] }}`, [tides, storms]],
		['the same twice', `${tides}, ${storms}, ${tides}`, [tides, storms]],
	])('takes the addresses from %s', async (_name, urls, sent) => {
		const run = await jobs.run('start', { urls });

		expect(run.error?.message).toBeUndefined();
		expect(jobs.bodies).toMatchObject([{ urls: sent }]);
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

	it('adds to a batch that still runs', async () => {
		const account = jobs.testBed.account();
		jobs.testBed.service.context.pageJobs.paces.set({ pageMs: 10_000 });
		const first = await jobs.run('start', { urls: tides }, { account });
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
