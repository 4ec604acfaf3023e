import { NodeApiError } from 'n8n-workflow';
import { operationError } from '../../../../nodes/runtime/api/errors';
import { fact } from '../../../../nodes/runtime/api/sentence';
import { sendReworded } from '../../../../nodes/runtime/jobs/sendReworded';
import { errorSource } from '../../schemaAssertions.cjs';
import { asRequest } from '../../requests.cjs';

const request = asRequest({ method: 'GET', path: '/replay' });

const reword = (error: NodeApiError) => {
	error.description = 'Record it first.';
};

describe('a request whose refusal gets other words', () => {
	it('gives its answer as it is', async () => {
		const told = jest.fn();
		const given = { status: 200, headers: {}, body: { pages: [] } };
		const send = jest.fn(async () => await Promise.resolve(given));

		expect(await sendReworded(request, { send }, told)).toBe(given);
		expect(send).toHaveBeenCalledWith(request);
		expect(told).not.toHaveBeenCalled();
	});

	it('throws the refusal itself, with those words', async () => {
		const refusal = new NodeApiError(
			errorSource().node,
			{ status: 404 },
			{ description: 'Check it.' },
		);
		const send = async () => await Promise.reject(refusal);

		await expect(sendReworded(request, { send }, reword)).rejects.toBe(refusal);
		expect(refusal.description).toBe('Record it first.');
	});

	it('leaves errors alone that no request has caused', async () => {
		const stopped = operationError(
			'The execution was stopped',
			[fact('Nothing was sent.')],
			errorSource(),
		);
		const send = async () => await Promise.reject(stopped);

		await expect(sendReworded(request, { send }, reword)).rejects.toBe(stopped);
		expect(stopped.description).toBe('Nothing was sent.');
	});
});
