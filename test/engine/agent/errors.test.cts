import type { INodeParameters } from 'n8n-workflow';
import { unknownId, useAgents } from './agents.cjs';

/** The spec's own messages, each with what to do about it. */
describe('an agent operation that is refused', () => {
	const agents = useAgents();

	it.each<[string, string, INodeParameters]>([
		['get', 'Agent job not found', { jobId: unknownId }],
		['cancel', 'Agent job not found', { jobId: unknownId }],
		['getTrace', 'Agent job not found', { jobId: unknownId }],
		['getSnapshot', 'Agent job not found', { jobId: unknownId, snapshotId: unknownId }],
	])('says that nothing has the id: %s', async (operation, words, parameters) => {
		const run = await agents.run(operation, parameters);

		expect(run.error?.message).toContain(words);
		expect(run.error?.message).toContain('[item 0]');
		expect(run.error).toMatchObject({ httpCode: '404' });
		expect(run.error?.description).toMatch(/id.*24 hours/i);
		expect(agents.requests).toHaveLength(1);
	});
});
