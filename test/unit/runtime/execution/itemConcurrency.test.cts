import { mostByLimits, mostItems } from '../../../../nodes/runtime/execution/execute';
import type { Job } from '../../../../nodes/runtime/operation';
import { Limiter } from '../../../../nodes/runtime/http/limiter';
import { endpointAt } from '../../requests.cjs';

const job: Job = {
	noun: 'job',
	status: endpointAt('GET', '/job/{id}'),
	cancel: endpointAt('DELETE', '/job/{id}'),
	finish: async () => await Promise.resolve([]),
	started: () => ({ json: {} }),
};

describe('The concurrency of items', () => {
	it.each([
		['fifty at the most', {}, true, 50],
		['ten where a failure ends it', {}, false, 10],
		['five where each waits for a job', { job }, true, 5],
		['one where each builds on the one before', { sequential: true }, true, 1],
	])('is right for %s', (_, operation, goesOn, most) => {
		expect(mostItems(operation, goesOn)).toBe(most);
	});

	it('is the highest limit of the rate limiters in use', () => {
		const limiters = { wide: new Limiter(), narrow: new Limiter() };
		jest.spyOn(limiters.wide, 'itemLimit', 'get').mockReturnValue(40);
		expect(mostByLimits(new Set())).toBe(5);
		expect(mostByLimits(new Set([limiters.narrow]))).toBe(5);
		expect(mostByLimits(new Set([limiters.narrow, limiters.wide]))).toBe(40);
	});
});
