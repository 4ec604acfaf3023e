import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { FaultInput } from '../mock/faults.cjs';
import { canaries } from './fuzzRun.cjs';

const retryable = [408, 429, 500, 502, 503, 504];
const final = [400, 401, 402, 403, 404, 409, 410, 413, 422, 501];

/** Statuses of a service or proxy that has lost track of what it was asked to do. */
const uncertain = [408, 500, 502, 504];

/** An answer of a few kilobytes on the wire that takes 110 MB once it is unpacked. */
const packed = gzipSync(
	Buffer.concat([
		Buffer.from('{"success":true,"data":{}'),
		Buffer.alloc(110 * 1024 * 1024, ' '),
		Buffer.from('}'),
	]),
);

/** Before the work, or after it: the answer to what was done is replaced, though never by one that says that it was refused. */
const replaced = (fault: FaultInput, statuses: number[]): fc.Arbitrary<FaultInput> =>
	fc
		.tuple(
			fc.constantFrom<FaultInput['stage']>('before', 'before', 'after'),
			fc.constantFrom(...statuses),
		)
		.map(([stage, status]) => ({
			...fault,
			status,
			stage: final.includes(status) ? 'before' : stage,
		}));

/** A status, and how it says how long to wait, if it does. */
const statuses: fc.Arbitrary<FaultInput> = fc
	.tuple(
		fc.oneof(
			{ weight: 3, arbitrary: fc.constantFrom(...retryable) },
			{ weight: 1, arbitrary: fc.constantFrom(...final) },
		),
		fc.constantFrom<object>(
			{},
			{},
			{ retryAfter: 3 },
			{ retryAfter: 'Sat, 21 Nov 2026 12:00:00 GMT' },
			{ retryAfter: 'soon' },
			{ body: { success: false, error: 'Busy', retry_after_seconds: 7 } },
			{ error: 'Rate limit exceeded, please retry after 4s' },
			{ retryAfter: 100_000 },
			{ retryAfter: -5 },
		),
	)
	.map(([status, hint]) => ({ kind: 'status', status, ...hint }));

/** A status after the work. */
const lateStatuses: fc.Arbitrary<FaultInput> = fc
	.constantFrom(...uncertain)
	.map((status) => ({ kind: 'status', status, stage: 'after' }));

const { key, webhookSecret } = canaries;

/** Refusals that quote what must be shown to nobody. */
const quotes: fc.Arbitrary<FaultInput> = fc.constantFrom<FaultInput>(
	{ kind: 'status', status: 401, error: `Unauthorized: Invalid token ${key}` },
	{ kind: 'status', status: 403, code: key, error: `Forbidden for ${key}` },
	{ kind: 'status', status: 500, body: `Bearer ${key} crashed\n    at ${webhookSecret}` },
	{ kind: 'status', status: 400, error: `${'x'.repeat(580)} Authorization: Bearer ${key}` },
	{
		kind: 'status',
		status: 400,
		body: { success: false, error: 'Bad Request', details: [{ path: [key], message: key }] },
	},
	{ kind: 'status', status: 307, body: '', headers: { location: `/signin?token=${key}` } },
	{ kind: 'status', status: 200, error: `The key ${key} has no ${webhookSecret}` },
);

/** Answers of the right status that are not what was asked for. */
const wrongBodies: fc.Arbitrary<FaultInput> = fc
	.tuple(
		fc.constantFrom<unknown>(
			{},
			[],
			null,
			'',
			'"text"',
			'{"success":true',
			'<html>sign in</html>',
			{ success: true },
			{ success: true, data: null },
			{ success: true, data: [null, 1, 'x'] },
			{ success: true, id: 5 },
			{ success: true, id: '../../team/credit-usage' },
			{ success: true, status: 'completed' },
			{ success: true, data: { web: 'none' }, next: 'file:///etc/passwd' },
		),
		fc.constantFrom('application/json', 'text/plain', 'text/html', 'application/octet-stream'),
	)
	.map(([body, type]) => ({
		kind: 'status',
		status: 200,
		body,
		headers: { 'content-type': type },
	}));

const redirect = { kind: 'status', status: 307, body: '' } as const;

/** What can happen to one request, and how often it does; `elsewhere` is where redirects lead. */
function kinds(elsewhere: string): fc.Arbitrary<FaultInput> {
	const stage = fc.constantFrom<FaultInput['stage']>('before', 'during', 'after');
	const byWeight: Array<[weight: number, fc.Arbitrary<FaultInput>]> = [
		[8, statuses],
		[3, lateStatuses],
		[6, stage.map((at) => ({ kind: 'reset', stage: at }))],
		[3, fc.constantFrom(undefined, 0, 1, 200, 1e9).map((bytes) => ({ kind: 'truncate', bytes }))],
		[
			2,
			fc.constantFrom<FaultInput>(
				{ kind: 'stall' },
				{ kind: 'stall', stage: 'after' },
				{ kind: 'stall', stage: 'after', bytes: 10 },
			),
		],
		[
			2,
			fc
				.tuple(stage, fc.constantFrom(500, 20_000, 250_000, 400_000))
				.map(([at, delayMs]) => ({ kind: 'delay', stage: at, delayMs })),
		],
		[2, replaced({ kind: 'html' }, [200, 404, 502])],
		[2, replaced({ kind: 'status', status: 200, body: '' }, [200, 204, 404, 502])],
		[2, replaced({ ...redirect, headers: { location: elsewhere } }, [301, 302, 303, 307, 308])],
		[2, fc.constant({ kind: 'status', status: 200, error: 'It did not work' })],
		[2, quotes],
		[4, wrongBodies],
		[
			1,
			fc.constant({
				kind: 'status',
				status: 200,
				body: packed,
				headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
			}),
		],
	];
	return fc.oneof(...byWeight.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** Faults for the requests of a run: which kinds, and when each comes. */
export const randomFaults = (elsewhere: string): fc.Arbitrary<FaultInput[]> =>
	fc.array(
		fc
			.tuple(
				kinds(elsewhere),
				fc.oneof(fc.constant(0), fc.nat({ max: 5 })),
				fc.integer({ min: 1, max: 3 }),
			)
			.map(([fault, skip, count]): FaultInput => ({ ...fault, skip, count })),
		{ maxLength: 5 },
	);
