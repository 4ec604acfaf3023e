import { sourcesOf, storms, tides, useDocumentJobs } from './documentJobs.cjs';

/** Jobs that say that they have completed before their work begins, as a self-hosted server was recorded to. */
describe.each([
	['batch', { urls: `${tides}, ${storms}` }, [tides, storms]],
	['crawl', { url: tides }, [tides]],
] as const)('a %s that says too early that it has completed', (resource, parameters, pages) => {
	const jobs = useDocumentJobs(resource);

	it('is polled on, and its pages come out', async () => {
		jobs.testBed.service.context.pageJobs.paces.set({ earlyMs: 20_000 });

		const items = await jobs.items(parameters);

		expect(sourcesOf(items)).toEqual(pages);
		expect(jobs.starts).toHaveLength(1);
	});

	it('is no success without a word where it never begins', async () => {
		jobs.testBed.service.context.pageJobs.paces.set({ earlyMs: 3_600_000 });

		const run = await jobs.run('run', parameters);

		const { message, description } = run.error ?? {};
		const words = [message, description, ...run.hints().map((hint) => hint.message)];
		const items = run.error ? [] : run.output().map(({ json }) => JSON.stringify(json));
		const [{ id }] = jobs.testBed.service.context.activity.entries;
		expect([...words, ...items].join('\n')).toContain(id);
	});
});
