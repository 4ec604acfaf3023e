import { NodeOperationError } from 'n8n-workflow';
import { requireJobId, startedId } from '../../../../nodes/runtime/output/paidResponse';
import { errorSource } from '../../schemaAssertions.cjs';

const answer = (body: unknown) => ({ status: 200, headers: {}, body });

describe('the answer to a start', () => {
	it('names what was started', () => {
		const body = { success: true, id: 'job-1', url: 'https://api.example/v2/crawl/job-1' };

		expect(requireJobId('crawl', answer(body), errorSource())).toBe(body);
		expect(startedId(body)).toBe('job-1');
	});

	it.each([{}, { id: '' }, { id: 5 }, { id: null }, [], 'job-1', undefined].map((body) => [body]))(
		'that names nothing is an error which owns what may run: %j',
		(body) => {
			const start = () => requireJobId('crawl', answer(body), errorSource({ itemIndex: 2 }));

			expect(startedId(body)).toBeUndefined();
			expect(start).toThrow(NodeOperationError);
			expect(start).toThrow(
				expect.objectContaining({
					message: 'The response to the start of the crawl has no ID [item 2]',
					description: expect.stringMatching(/may be running and charged/),
				}),
			);
		},
	);
});
