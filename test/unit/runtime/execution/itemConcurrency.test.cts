import { mostItems } from '../../../../nodes/runtime/execution/execute';
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
	const wide = new Limiter();
	beforeEach(() => jest.spyOn(wide, 'itemLimit', 'get').mockReturnValue(90));

	it.each([
		['fifty at the most', {}, false, 50],
		['ten where a failure ends it', {}, true, 10],
		['five where each waits for a job', { job }, false, 5],
		['one where each builds on the one before', { sequential: true }, false, 1],
	])('is right for %s', (_, operation, stops, most) => {
		expect(mostItems(operation, stops, new Set([wide]))).toBe(most);
	});

	it('is the highest limit of the rate limiters in use', () => {
		const narrow = new Limiter();
		jest.spyOn(wide, 'itemLimit', 'get').mockReturnValue(40);
		expect(mostItems({}, false, new Set())).toBe(5);
		expect(mostItems({}, false, new Set([narrow]))).toBe(5);
		expect(mostItems({}, false, new Set([narrow, wide]))).toBe(40);
	});
});
