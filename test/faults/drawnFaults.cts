import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { FaultInput } from '../service/faults.cjs';

const retryable = [408, 429, 500, 502, 503, 504];
const final = [400, 401, 402, 403, 404, 409, 410, 413, 422, 501];

/** An answer of a few bytes on the wire that takes 16 MB once it is unpacked. */
const packed = gzipSync(
	Buffer.from(`{"success":false,"error":"large"${' '.repeat(16 * 1024 * 1024)}}`),
);

const unit = (kind: FaultInput): fc.Arbitrary<FaultInput> => fc.constant(kind);

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
			{ retryAfterSeconds: 7 },
			{ textHint: 4 },
			{ retryAfter: 100_000 },
			{ retryAfter: -5 },
		),
	)
	.map(([status, hint]) => ({ kind: 'status', status, ...hint }));

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

/** What can happen to one request; `elsewhere` is where redirects lead. */
function kinds(elsewhere: string): fc.Arbitrary<FaultInput> {
	const stage = fc.constantFrom('before', 'during', 'after');
	return fc.oneof(
		{ weight: 8, arbitrary: statuses },
		{ weight: 6, arbitrary: stage.map((at): FaultInput => ({ kind: 'reset', stage: at })) },
		{
			weight: 3,
			arbitrary: fc
				.option(fc.nat({ max: 200 }), { nil: undefined })
				.map((bytes): FaultInput => ({ kind: 'truncate', bytes })),
		},
		{
			weight: 2,
			arbitrary: fc
				.constantFrom(500, 20_000, 250_000)
				.map((delayMs): FaultInput => ({ kind: 'delay', delayMs })),
		},
		{
			weight: 2,
			arbitrary: fc
				.constantFrom(200, 404, 502)
				.map((status): FaultInput => ({ kind: 'html', status })),
		},
		{
			weight: 2,
			arbitrary: fc
				.constantFrom(200, 204, 404, 502)
				.map((status): FaultInput => ({ kind: 'empty', status })),
		},
		{
			weight: 2,
			arbitrary: fc
				.constantFrom(301, 302, 303, 307, 308)
				.map((status): FaultInput => ({ kind: 'redirect', status, location: elsewhere })),
		},
		{ weight: 2, arbitrary: unit({ kind: 'failure', error: 'It did not work' }) },
		{ weight: 4, arbitrary: wrongBodies },
		{
			weight: 1,
			arbitrary: unit({
				kind: 'status',
				status: 200,
				body: packed,
				headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
			}),
		},
	);
}

/** Faults for the requests of a run: which kinds, and when each comes. */
export const drawnFaults = (elsewhere: string): fc.Arbitrary<FaultInput[]> =>
	fc.array(
		fc
			.tuple(kinds(elsewhere), fc.nat({ max: 5 }), fc.integer({ min: 1, max: 3 }))
			.map(([fault, skip, count]): FaultInput => ({ ...fault, skip, count })),
		{ maxLength: 5 },
	);
