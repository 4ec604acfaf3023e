import type { Sender } from '../../../../nodes/runtime/http/paging';
import type { JobList } from '../../../../nodes/runtime/http/jobLookup';
import { listJobs } from '../../../../nodes/runtime/jobs/listedJobs';
import { monotonicNow } from '../../../../nodes/runtime/values/clock';
import { recordedCall } from '../../calls.cjs';
import { getTeamActivity } from '../../../../nodes/runtime/api/teamEndpoints';
import { listAgentRuns } from '../../../../nodes/WebData/resources/agent/job';

const now = Date.parse('2026-11-23T12:00:00Z');
const hour = 3_600_000;
const page = 'https://a.example/';
const activity: JobList = { endpoint: getTeamActivity, query: { limit: 2 }, entries: 'data' };
const runs: JobList = { endpoint: listAgentRuns, entries: 'agents' };

const entry = (id: string, hoursAgo: number, target: unknown = page) => ({
	id,
	target,
	created_at: new Date(now - hoursAgo * hour).toISOString(),
});
/** What the lists show of the last 24 hours that has a target, or a mark. */
const listed = async (lists: JobList[], call: Sender, isMarked = (_told: unknown) => false) =>
	await listJobs({ lists, matchBy: [page] }, monotonicNow() - 24 * hour, isMarked, call);
const idsOf = ({ jobs }: { jobs: Array<{ id: string }> }) => jobs.map(({ id }) => id);

describe('the jobs that the service lists', () => {
	beforeEach(() => jest.useFakeTimers({ now }));
	afterEach(() => jest.useRealTimers());

	it('are read page by page, by cursor, and kept where the target fits', async () => {
		const call = recordedCall(
			{ data: [entry('b', 1), entry('x', 2, 'https://b.example/')], cursor: 'c1', has_more: true },
			{ data: [entry('a', 3), entry('y', 4, 'https://c.example/')], cursor: null, has_more: false },
		);
		const found = await listed([activity], call);
		expect(found).toMatchObject({ isWhole: true });
		expect(idsOf(found)).toEqual(['b', 'a']);
		expect(call.sent.map(({ query }) => query)).toEqual([{ limit: 2 }, { limit: 2, cursor: 'c1' }]);
	});

	it('are read on at the next address, as far back as is asked for', async () => {
		const run = (id: string, hoursAgo: number) => {
			const { created_at: createdAt } = entry(id, hoursAgo);
			return { id, createdAt, options: { prompt: page } };
		};
		const next = 'https://api.example/v2/agent?before=5';
		const call = recordedCall(
			{ agents: [run('b', 1)], next },
			{ agents: [run('a', 23), run('old', 25)], next },
		);
		const found = await listed([runs], call);
		expect(idsOf(found)).toEqual(['b', 'a']);
		expect(found.isWhole).toBe(true);
		expect(call.sent.map(({ path }) => path)).toEqual(['/agent', '/agent?before=5']);
	});

	it('are told together where several lists show them', async () => {
		const call = recordedCall(
			{ agents: [{ ...entry('a', 1), origin: 'n8n' }] },
			{ data: [entry('a', 1)], has_more: false },
		);
		const { jobs } = await listed([runs, activity], call);
		expect(jobs.map(({ listed: told }) => told.length)).toEqual([2]);
	});

	it('are told by one list where another leaves out what they were asked', async () => {
		const call = recordedCall(
			{ agents: [entry('a', 1, null)] },
			{ data: [entry('a', 1)], has_more: false },
		);
		expect((await listed([runs, activity], call)).isWhole).toBe(true);
	});

	it.each<[string, unknown[]]>([
		['when a list cannot be read', [new Error('refused')]],
		['when a job has no target', [{ data: [entry('a', 1), entry('y', 2, null)] }]],
		['when a list is none', [{ data: 'nothing' }]],
		[
			'when there are too many',
			Array(10).fill({ data: [entry('a', 1)], cursor: 'c', has_more: true }),
		],
	])('are not whole %s', async (_, bodies) => {
		const call = recordedCall(...bodies);
		expect((await listed([activity], call)).isWhole).toBe(false);
		expect(call.sent).toHaveLength(bodies.length);
	});
});
