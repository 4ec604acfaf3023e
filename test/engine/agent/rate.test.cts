import { prompt, useAgents } from './agents.cjs';

describe('agent runs on a plan of two starts per minute', () => {
	const agents = useAgents();
	const { testBed } = agents;
	const input = Array.from({ length: 5 }, (_, place) => ({ topic: `${prompt} ${place}` }));

	it('all come out, in order, none started twice', async () => {
		const account = testBed.account({ ratePerMinute: { agent: 2 }, retryHint: 'text' });

		const run = await agents.run('run', { prompt: '={{ $json.topic }}' }, { account, input });

		expect(run.error?.message).toBeUndefined();
		expect(run.status).toBe('success');
		const { jobs } = testBed.service.context.agents;
		expect(jobs.map(({ about }) => about.task.prompt).sort()).toEqual(
			input.map(({ topic }) => topic).sort(),
		);
		const topicOf = new Map<string, string>(jobs.map(({ id, about }) => [id, about.task.prompt]));
		expect(run.output().map(({ json }) => topicOf.get(String(json.jobId)))).toEqual(
			input.map(({ topic }) => topic),
		);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(
			input.map((_, item) => ({ item })),
		);
		expect(run.output().every(({ json }) => Array.isArray(json.findings))).toBe(true);
		const refused = testBed.service.log
			.of('POST', '/v2/agent')
			.filter(({ status }) => status === 429);
		expect(refused.length).toBeGreaterThan(0);
	});
});
