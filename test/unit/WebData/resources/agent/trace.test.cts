import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readSnapshot } from '../../../../../nodes/WebData/resources/agent/getSnapshot';
import { fromJson } from '../../../../../nodes/runtime/values/json';
import {
	flattened,
	inOrderOfEvents,
	snapshotIdOf,
} from '../../../../../nodes/WebData/resources/agent/trace';
import { recordedCall } from '../../../calls.cjs';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString();
const event = (id: string, agent: string, sequence: number, second: number): IDataObject => ({
	eventId: id,
	agent: { id: agent, role: 'subagent' },
	producerSequence: sequence,
	occurredAt: at(second),
});
const ids = (events: IDataObject[]) => inOrderOfEvents(events).map(({ eventId }) => eventId);

describe('the events of a trace', () => {
	it("keep an agent's order even where its clock goes back", () => {
		const events = [event('b', 'x', 2, 1), event('a', 'x', 1, 5), event('o', 'y', 1, 3)];
		expect(ids(events)).toEqual(['o', 'a', 'b']);
	});

	it('come by time when one time is written with fractions and the other without', () => {
		const early = { ...event('early', 'a', 1, 0), occurredAt: '2026-11-21T12:00:00Z' };
		const late = { ...event('late', 'b', 1, 0), occurredAt: '2026-11-21T12:00:00.250Z' };
		expect(ids([late, early])).toEqual(['early', 'late']);
	});

	it('may lack what orders them', () => {
		expect(ids([{ eventId: 'a' }, { eventId: 'b' }])).toEqual(['a', 'b']);
		expect(ids([])).toEqual([]);
	});

	it('are each looked at once, however many agents there are', () => {
		let reads = 0;
		const events = Array.from({ length: 2000 }, (_, index) =>
			Object.defineProperty({ agent: { id: `a${index % 1000}` } }, 'occurredAt', {
				get: () => {
					reads += 1;
					return at(index % 60);
				},
			}),
		);
		expect(inOrderOfEvents(events)).toHaveLength(2000);
		expect(reads).toBe(2000);
	});

	it('of several agents come as the earliest that no agent has before it', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(20)), { maxLength: 12 }),
				(drawn) => {
					const events = drawn.map(([agent, second], index) =>
						event(`${index}`, agent, index, second),
					);
					const agents = new Set(drawn.map(([agent]) => agent));
					const expected: string[] = [];
					const waiting = drawn.map(([agent, second], index) => ({ agent, second, index }));
					const isOf = (name: string) => (one: { agent: string }) => one.agent === name;
					while (waiting.length > 0) {
						const heads = [...agents].flatMap((name) => waiting.find(isOf(name)) ?? []);
						const next = heads.reduce((one, other) => (other.second < one.second ? other : one));
						expected.push(`${next.index}`);
						waiting.splice(waiting.indexOf(next), 1);
					}
					expect(ids(events)).toEqual(expected);
				},
			),
		);
	});

	/** The places of an agent's events in its order. */
	const sequencesOf = (name: string, events: IDataObject[]) =>
		events
			.filter(({ agent }) => Object(agent).id === name)
			.map(({ producerSequence }) => Number(producerSequence));

	it('are all there, each once, in the order of their agent, and the list is left as it was', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.record({
						eventId: fc.uuid(),
						agent: fc.record({ id: fc.constantFrom('a', 'b', 'c') }),
						producerSequence: fc.nat(20),
						occurredAt: fc.integer({ min: 0, max: 59 }).map(at),
					}),
				),
				(events) => {
					const before = structuredClone(events);
					const ordered = inOrderOfEvents(events);
					expect(events).toEqual(before);
					expect(new Set(ordered)).toEqual(new Set(events));
					expect(ordered).toHaveLength(events.length);
					for (const name of ['a', 'b', 'c']) {
						const own = sequencesOf(name, events);
						expect(sequencesOf(name, ordered)).toEqual(own.sort((one, other) => one - other));
					}
				},
			),
		);
	});
});

describe('an event', () => {
	it('has at its top the snapshot that it names', () => {
		const artifact = { artifactId: 'result', kind: 'json', snapshotId: 'snap-1' };
		const updated = { type: 'artifact.updated', artifact };
		expect(snapshotIdOf({ artifact })).toBe('snap-1');
		expect(flattened(updated)).toEqual({ ...updated, snapshotId: 'snap-1' });
	});

	it('has at its top what its error says', () => {
		const error = { code: 'refused', source: 'agent', retryable: false, message: 'No' };
		const said = { errorCode: 'refused', errorSource: 'agent', errorRetryable: false };
		expect(flattened({ type: 'error.occurred', error })).toEqual({
			type: 'error.occurred',
			error,
			...said,
		});
	});

	it('has at its top whether to repeat, which may stand beside the error', () => {
		const error = { code: 'internal', message: 'No' };
		const occurred = { type: 'error.occurred', error, retryable: true };
		const said = { errorCode: 'internal', errorRetryable: true };
		expect(flattened(occurred)).toEqual({ ...occurred, ...said });
		const inside = { ...error, retryable: false };
		expect(flattened({ error: inside, retryable: true })).toMatchObject({ errorRetryable: false });
	});

	it.each<[IDataObject]>([
		[{ type: 'run.finished', outcome: 'succeeded', error: null }],
		[{ type: 'a type of tomorrow', artifact: 'text' }],
		[{ type: 'artifact.updated', artifact: { snapshotId: 5 } }],
	])('is left as it is: %j', (plain) => {
		expect(flattened(plain)).toEqual(plain);
		expect(snapshotIdOf(plain)).toBeUndefined();
	});
});

describe('a snapshot', () => {
	it.each<[unknown, unknown]>([
		['{"a": [1]}', { a: [1] }],
		['[1, 2]', [1, 2]],
		['7', 7],
		['# Markdown', '# Markdown'],
		['', ''],
		['{"a": ', '{"a": '],
		[{ a: 1 }, { a: 1 }],
		[undefined, undefined],
	])('%j is %j', (snapshot, content) => {
		expect(fromJson(snapshot)).toEqual(content);
	});

	it('is asked for with its ids encoded', async () => {
		const call = recordedCall({ success: true, id: 'x', snapshot: '{"a": 1}' });
		expect(await readSnapshot('job 1', '../a/b?c', call)).toEqual({
			jobId: 'job 1',
			snapshotId: '../a/b?c',
			snapshot: { a: 1 },
		});
		expect(call.sent).toEqual([
			{ method: 'GET', path: '/agent/job%201/snapshots/..%2Fa%2Fb%3Fc', retrySafety: 'free' },
		]);
	});
});
