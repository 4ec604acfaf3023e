import { samples } from '../unit/convert/samples.cjs';
import type { Asked, Proof } from './conversionProcess.cjs';
import { foundBy } from './forkedProcess.cjs';
import { meaningOf } from './meaning.cjs';

/** What both ask: free requests for a job's state differ in number, the converted node asks further ones. */
function paidRequests(asked: readonly Asked[]): unknown[] {
	const paid = asked.filter(({ request }) => !request.startsWith('GET '));
	return paid.map(({ request, body }) => {
		const path = request.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, '{id}');
		// The former names of today's endpoints.
		return [path.replace('/v2/browser', '/v2/interact'), meaningOf(body ?? {})];
	});
}

/** What was read, without the IDs that the service makes anew each time. */
const stable = (read: unknown): unknown =>
	JSON.parse(
		JSON.stringify(read ?? []).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '{id}'),
	);

describe('A converted workflow', () => {
	let proofs = new Map<string, Proof>();
	const proven = Object.keys(samples).filter((name) => samples[name].reads !== undefined);

	beforeAll(async () => {
		const found = await foundBy<Proof>('conversionProcess.cjs');
		proofs = new Map(found.map((proof) => [proof.name, proof]));
	});

	it.each(proven)('asks the service for the same, and later nodes read the same: %s', (name) => {
		const { before, after } = proofs.get(name) ?? {};

		expect([before?.error, after?.error]).toEqual([undefined, undefined]);
		expect(stable(after?.read)).toEqual(stable(before?.read));
		expect(after?.read.length).toBeGreaterThan(0);
		expect(paidRequests(after?.asked ?? [])).toEqual(paidRequests(before?.asked ?? []));
	});
});
