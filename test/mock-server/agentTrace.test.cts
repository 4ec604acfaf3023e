import { Firecrawl } from '@mendable/firecrawl-js';
import { randomUUID } from 'node:crypto';

import { AgentClient, type TraceBody } from './agent/agentClient.cjs';
import type { TraceEvent } from './agent/trace.cjs';
import { startService, type Service } from './service.cjs';

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

const ofType = <T extends TraceEvent['type']>(
	events: TraceEvent[],
	type: T,
): Array<Extract<TraceEvent, { type: T }>> =>
	events.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);

/** Events by agent, in the order that their numbers say. */
function byAgent(events: TraceEvent[]): TraceEvent[][] {
	const ids = [...new Set(events.map(({ agent }) => agent.id))];
	return ids.map((id) =>
		events
			.filter(({ agent }) => agent.id === id)
			.sort((a, b) => a.producerSequence - b.producerSequence),
	);
}

test('holds what happened so far, and nothing to come', async () => {
	const { id } = await agents.start();
	expect(await agents.events(id)).toEqual([]);
	await service.clock.advance(1500);
	const events = await agents.events(id);
	expect(events.length).toBeGreaterThan(5);
	for (const { occurredAt, runId, schemaVersion } of events) {
		expect(Date.parse(occurredAt)).toBeLessThanOrEqual(service.clock.now());
		expect([runId, schemaVersion]).toEqual([id, 1]);
	}
	expect(ofType(events, 'run.finished')).toEqual([]);
	await service.clock.advance(1500);
	expect(ofType(await agents.events(id), 'run.finished')).toMatchObject([
		{ outcome: 'succeeded', error: null },
	]);
});

test('is ordered by number inside an agent, not by place', async () => {
	const { id } = await agents.run();
	const events = await agents.events(id);
	for (const own of byAgent(events)) {
		expect(own.map(({ producerSequence }) => producerSequence)).toEqual(
			own.map((_, place) => place + 1),
		);
		const times = own.map(({ occurredAt }) => occurredAt);
		expect(times).toEqual([...times].sort());
	}
	const times = events.map(({ occurredAt }) => occurredAt);
	expect(times).not.toEqual([...times].sort());
	expect((await agents.events(id)).map(({ eventId }) => eventId)).toEqual(
		events.map(({ eventId }) => eventId),
	);
});

test('every type and every role comes up', async () => {
	const { id } = await agents.run();
	await agents.control('next', { outcome: 'failed' });
	const failed = await agents.run();
	const cancelled = await agents.start();
	await service.clock.advance(1000);
	await agents.cancel(cancelled.id);
	await service.clock.advance(1000);
	const lists = await Promise.all([id, failed.id, cancelled.id].map((each) => agents.events(each)));
	expect(new Set(lists.flat().map(({ type }) => type))).toEqual(
		new Set([
			'run.started',
			'run.cancel_requested',
			'run.finished',
			'agent.started',
			'agent.finished',
			'browser.session.started',
			'browser.session.finished',
			'progress.reported',
			'reasoning.summary',
			'tool_call.started',
			'tool_call.finished',
			'artifact.updated',
			'error.occurred',
		]),
	);
	expect(new Set(lists.flat().map(({ agent }) => agent.role))).toEqual(
		new Set(['orchestrator', 'subagent', 'system', 'browser']),
	);
	expect(ofType(lists[1], 'error.occurred')[0].error).toMatchObject({
		code: 'internal',
		retryable: true,
	});
	expect(ofType(lists[2], 'run.finished')).toMatchObject([
		{ outcome: 'cancelled', error: { code: 'cancelled' } },
	]);
	for (const own of byAgent(lists[2])) {
		const opened =
			ofType(own, 'agent.started').length + ofType(own, 'browser.session.started').length;
		expect(
			ofType(own, 'agent.finished').length + ofType(own, 'browser.session.finished').length,
		).toBe(opened);
	}
});

test('a reader that the end overtook stops a little later', async () => {
	const { id } = await agents.run();
	const [end] = ofType(await agents.events(id), 'run.finished');
	await service.clock.advance(1000);
	const late = (await agents.events(id)).filter(({ occurredAt }) => occurredAt > end.occurredAt);
	expect(late.map(({ type }) => type).sort()).toEqual([
		'agent.finished',
		'browser.session.finished',
	]);
	expect(ofType(late, 'agent.finished')[0]).toMatchObject({
		outcome: 'cancelled',
		error: { code: 'parent_finished' },
	});
	expect(ofType(late, 'agent.finished')[0].durationMs).toBeGreaterThan(0);
});

test('live views of the sessions that are open now, when asked for', async () => {
	const { id } = await agents.start();
	const live = async () =>
		(await agents.get<TraceBody>(`/${id}/trace?liveView=true`)).body.activeBrowserSessions;
	expect(await live()).toEqual([]);
	let sessions = await live();
	while (sessions?.length === 0) {
		await service.clock.advance(50);
		sessions = await live();
	}
	const started = ofType(await agents.events(id), 'browser.session.started').map(
		({ sessionId }) => sessionId,
	);
	expect(started).toContain(sessions?.[0].id);
	expect((await agents.get<TraceBody>(`/${id}/trace`)).body).not.toHaveProperty(
		'activeBrowserSessions',
	);
	await service.clock.advance(10_000);
	expect(await live()).toEqual([]);
});

describe('snapshots', () => {
	const schema = {
		type: 'object',
		properties: {
			pages: {
				type: 'array',
				items: { type: 'object', properties: { title: { type: 'string' } } },
			},
		},
	};
	const read = (id: string, snapshotId: string) =>
		agents.get<{ snapshot: string; snapshotId: string }>(`/${id}/snapshots/${snapshotId}`);

	test('of the result grow page by page and end as the data; they are text', async () => {
		const { id, data } = await agents.run({ schema });
		const updates = ofType(await agents.events(id), 'artifact.updated')
			.filter(({ artifact }) => artifact.artifactId === 'result')
			.sort((a, b) => a.producerSequence - b.producerSequence);
		const contents = await Promise.all(
			updates.map(
				async ({ artifact }) =>
					JSON.parse((await read(id, artifact.snapshotId)).body.snapshot) as {
						pages: unknown[];
					} | null,
			),
		);
		expect(contents.map((content) => content?.pages.length ?? 0)).toEqual([0, 1, 2, 3, 3]);
		expect(contents.at(-1)).toEqual(data);
	});

	test('of pages are Markdown, named by the tool call that read them', async () => {
		const { id } = await agents.run();
		const events = await agents.events(id);
		const page = ofType(events, 'artifact.updated').find(
			({ artifact }) => artifact.kind === 'markdown',
		);
		const { body } = await read(id, page?.artifact.snapshotId ?? '');
		expect(body.snapshot).toMatch(/^#|\n## |\S/);
		const call = ofType(events, 'tool_call.started').find(
			({ toolCallId }) => toolCallId === page?.artifact.sourceToolCallId,
		);
		expect(call).toMatchObject({ toolName: 'scrape' });
	});

	test('malformed ids: 400, unknown ones: 404; neither body has `success`', async () => {
		const { id } = await agents.run();
		const other = await agents.run();
		const [{ artifact }] = ofType(await agents.events(other.id), 'artifact.updated');
		const malformed = await read(id, 'nope');
		expect([malformed.status, malformed.body]).toEqual([400, { error: 'Invalid snapshot ID' }]);
		for (const each of [randomUUID(), artifact.snapshotId]) {
			const { status, body } = await read(id, each);
			expect([status, body]).toEqual([404, { error: 'Snapshot not found' }]);
		}
	});
});

test('the official SDK: trace with live views, and snapshot', async () => {
	const sdk = new Firecrawl({ apiKey: service.keys.full, apiUrl: service.url });
	const { id, data } = await agents.run({ prompt: 'coffee brewing temperature' });
	const { events = [], activeBrowserSessions } = await sdk.getAgentTrace(id, { liveView: true });
	expect(activeBrowserSessions?.length).toBe(1);
	const results = events.flatMap((event) =>
		event.type === 'artifact.updated' && event.artifact.change === 'update' ? [event.artifact] : [],
	);
	const { snapshot = '' } = await sdk.getAgentSnapshot(id, results[0].snapshotId);
	expect(JSON.parse(snapshot)).toEqual(data);
	await expect(sdk.getAgentSnapshot(id, 'nope')).rejects.toMatchObject({
		status: 400,
		message: 'Invalid snapshot ID',
	});
});
