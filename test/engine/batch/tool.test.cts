import { insideFence } from '../fence.cjs';
import { sourcesOf, storms, tides, useDocumentJobs } from '../documentJobs.cjs';

/** The variant of the node that AI Agents call: a model reads the items' JSON and nothing else. */
describe('a batch as a tool', () => {
	const jobs = useDocumentJobs('batch');
	const node = () => ({ type: jobs.testBed.engine.typeName('webDataTool') });

	it('gives the model the pages', async () => {
		const run = await jobs.run('run', { urls: `${tides}, ${storms}` }, { node: node() });

		expect(run.status).toBe('success');
		expect(sourcesOf(insideFence(run.output()).map((json) => ({ json })))).toEqual([tides, storms]);
	});

	it('tells the model which field is wrong', async () => {
		const run = await jobs.run('run', { urls: `${tides}, nohost` }, { node: node() });

		expect(run.status).toBe('success');
		expect(run.output().map(({ json }) => json)).toEqual([
			{
				error: "'URLs > entry 2' must have a host such as example.com, not nohost",
				advice: 'Nothing was sent and nothing was charged.',
			},
		]);
		expect(jobs.requests).toEqual([]);
	});

	it('tells the model what happened and what to do when the batch fails', async () => {
		jobs.testBed.service.context.pageJobs.paces.add({
			failure: { afterPages: 0, error: 'The worker died.' },
		});

		const run = await jobs.run('run', { urls: tides }, { node: node() });

		const [first, json, ...more] = insideFence(run.output());
		expect(more).toEqual([]);
		expect(first.notes).toEqual([
			expect.stringMatching(/^The result of the batch .* ended as failed$/),
		]);
		expect(json.error).toMatch(/^The worker died. \(batch [\w-]+\)$/);
		expect(json.advice).toMatch(/'Get Errors' says why/);
	});

	it('does not suspend the execution of the agent that waits for it', async () => {
		const run = await jobs.run('run', { urls: tides, wait: 'suspend' }, { node: node() });

		expect(run.output().map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/'Wait for Result' cannot suspend/),
		]);
		expect(jobs.requests).toEqual([]);
	});
});
