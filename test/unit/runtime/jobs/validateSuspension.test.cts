import type { Settings } from '../../../../nodes/runtime/form/options';
import { validateSuspension, type PlannedSuspension } from '../../../../nodes/runtime/jobs/job';
import { errorSource } from '../../schemaAssertions.cjs';

const planned: PlannedSuspension = {
	jobCount: 2,
	isForAll: true,
	canSuspend: true,
	mayReuse: false,
	asTool: false,
};
const refusal = (
	change: Partial<PlannedSuspension>,
	wait: Settings['wait'] = 'suspend',
	body: object = {},
) => validateSuspension({ wait }, body, { ...planned, ...change }, errorSource())?.message;

describe('an execution that is to sleep', () => {
	it.each<[string, Partial<PlannedSuspension>]>([
		['for several jobs', {}],
		['for one job that may be one that was started before', { jobCount: 1, mayReuse: true }],
	])('may sleep %s', (_name, change) => {
		expect(refusal(change)).toBeUndefined();
	});

	it.each<[string, Partial<PlannedSuspension>, RegExp]>([
		['an AI Agent waits', { asTool: true }, /AI Agent/],
		['this n8n does not have it read the results', { canSuspend: false }, /in this version of n8n/],
		[
			'this n8n does not, for one job',
			{ jobCount: 1, canSuspend: false },
			/in this version of n8n/,
		],
		['a job may be one that was started before', { mayReuse: true }, /'Reuse Recent Job/],
		['some items do not want it', { isForAll: false }, /some items and not for others/],
	])('is refused where %s', (_name, change, words) => {
		expect(refusal(change)).toMatch(words);
		expect(refusal(change, 'poll')).toBeUndefined();
	});

	it("is refused where the job's webhook is taken", () => {
		expect(refusal({}, 'suspend', { webhook: {} })).toMatch(/'Webhook'/);
	});
});
