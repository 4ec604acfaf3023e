import { randomUUID } from 'node:crypto';

import { AgentClient } from './agent/agentClient.cjs';
import { startService, type Service } from './service.cjs';

const day = 86_400_000;
let service: Service;
let agents: AgentClient;
beforeAll(async () => {
	service = await startService();
	agents = new AgentClient(service);
});
afterAll(() => service.close());
beforeEach(() => {
	service.reset();
	service.clock.hold(Date.parse('2026-11-21T12:00:00Z'));
});

describe('ids and keeping', () => {
	test.each(['', '/trace', `/snapshots/${randomUUID()}`])(
		'what is no UUID: 400 (%s)',
		async (path) => {
			const { status, body } = await agents.get(`/not-a-uuid${path}`);
			expect([status, body.error]).toEqual([
				400,
				'Invalid job ID format. Job ID must be a valid UUID.',
			]);
		},
	);

	test('unknown runs and those of another team: 404', async () => {
		const { id } = await new AgentClient(service, service.keys.plain).start();
		for (const each of [randomUUID(), id]) {
			const { status, body } = await agents.get(`/${each}`);
			expect([status, body.error]).toEqual([404, 'Agent job not found']);
			expect((await agents.cancel(each)).status).toBe(404);
			expect((await agents.get(`/${each}/trace`)).status).toBe(404);
		}
	});

	test('24 hours after the end the result is gone', async () => {
		const { id, expiresAt } = await agents.run();
		expect(expiresAt).toBe('2026-11-22T12:00:03.000Z');
		await service.clock.advance(day - 1);
		expect((await agents.status(id)).status).toBe(200);
		await service.clock.advance(1);
		expect((await agents.status(id)).status).toBe(404);
	});

	test('a run that takes longer than a day is still there', async () => {
		await agents.control('next', { durationMs: 2 * day });
		const { id } = await agents.start();
		await service.clock.advance(1.5 * day);
		expect((await agents.status(id)).body.status).toBe('processing');
	});

	test('runs before spark-2 have a status, but no trace and no snapshots', async () => {
		const { body } = await agents.control('past', { teamId: 'team-full' });
		const [id] = body.ids;
		expect((await agents.status(id)).body).toMatchObject({
			status: 'completed',
			model: 'spark-1-pro',
		});
		const trace = await agents.get(`/${id}/trace`);
		const snapshot = await agents.get(`/${id}/snapshots/${randomUUID()}`);
		expect([trace.status, trace.body]).toEqual([
			400,
			{ error: 'Trace is only available for Spark 2 extracts' },
		]);
		expect([snapshot.status, snapshot.body]).toEqual([
			400,
			{ error: 'Snapshots are only available for Spark 2 extracts' },
		]);
	});
});

describe('the list', () => {
	interface Listed {
		agents: Array<{
			id: string;
			createdAt: string;
			status: string;
			targetHint: string;
			options: { prompt: string };
		}>;
		next?: string;
	}

	test('pages of 20, newest first, by an absolute `next`, none lost or twice', async () => {
		const { body } = await agents.control('past', { teamId: 'team-full', count: 44 });
		const newest = await agents.run({ prompt: 'coffee' });
		await new AgentClient(service, service.keys.plain).start();
		const seen: string[] = [];
		const sizes: number[] = [];
		let path: string | undefined = '';
		while (path !== undefined) {
			const page: Listed = (await agents.get<Listed>(path)).body;
			seen.push(...page.agents.map(({ id }) => id));
			sizes.push(page.agents.length);
			expect(page.next ?? service.url).toMatch(new RegExp(`^${service.url}`));
			path = page.next && new URL(page.next).search;
		}
		expect(sizes).toEqual([20, 20, 5]);
		expect(seen).toEqual([newest.id, ...body.ids]);
	});

	test('exactly a page has no `next`', async () => {
		await agents.control('past', { teamId: 'team-full', count: 20 });
		const { body } = await agents.get<Listed>('');
		expect([body.agents.length, body.next]).toEqual([20, undefined]);
	});

	test('an item says what was asked', async () => {
		await agents.start({
			prompt: 'coffee',
			urls: ['emberroast.example/brewing'],
			schema: { type: 'object' },
			origin: 'x',
		});
		const { body } = await agents.get<Listed>('');
		expect(body.agents[0]).toEqual({
			id: expect.any(String) as string,
			createdAt: '2026-11-21T12:00:00.000Z',
			targetHint: 'http://emberroast.example/brewing',
			origin: 'x',
			settings: { hidden: false, starred: false },
			status: 'processing',
			options: {
				prompt: 'coffee',
				urls: ['http://emberroast.example/brewing'],
				schema: { type: 'object' },
				model: 'spark-2',
			},
		});
	});

	test.each(['abc', '-5', '1.5', ''])('before=%s: 400', async (before) => {
		const { status, body } = await agents.get(`?before=${before}`);
		expect([status, body.error]).toEqual([400, 'Invalid before timestamp.']);
	});

	test('self-hosted: 501', async () => {
		service.context.options.authentication = false;
		expect((await agents.get('')).status).toBe(501);
	});
});
