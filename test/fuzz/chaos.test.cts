import fc from 'fast-check';
import { NodeOperationError, type NodeApiError } from 'n8n-workflow';
import type { PollResult } from '../../nodes/runtime/jobs/poll';
import { isRecord } from '../../nodes/runtime/values/record';
import type { ApiResponse } from '../../nodes/runtime/errors/response';
import { inWords, operationNames } from '../engine/operationNames.cjs';
import { canaries, replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { useChaosRuns } from './chaosRuns.cjs';
import { chosenOperations } from './directRuns.cjs';
import { defect, reported, usePlants, type Plant } from './plants.cjs';

/** Runs of all operations together, shared out evenly. */
const runs = Math.ceil(scaled(2_000) / operationNames.length);

/** Every operation in n8n's engine, while the service and the network misbehave in every way at random. */
describe('chaos', () => {
	const chaos = useChaosRuns();
	const countOne = useCount('runs of operations under faults');

	it.each(chosenOperations)('does no harm to $resource: $operation', async (name) => {
		const findingsOf = chaos.of(name);

		await fc.assert(
			fc.asyncProperty(chaos.setups(), async (setup) => {
				countOne();
				expect(await findingsOf(setup)).toEqual([]);
			}),
			{ seed: seedOf(inWords(name)), numRuns: runs, ...replay() },
		);
	});
});

const search = { resource: 'search', operation: 'query' };
const agentStart = { resource: 'agent', operation: 'start' };
const agentRun = { resource: 'agent', operation: 'run' };

/** Everything is sent again as if a repeat cost nothing. */
const repeatsAll = defect(
	'http/retry',
	'reasonToStop',
	(original) =>
		(failure, _cost, ...rest) =>
			original(failure, 'free', ...rest),
);

/** Every refusal is an error that `change` has spoilt. */
const spoiltErrors = (change: (error: NodeApiError) => void): Plant =>
	defect('http/serviceError', 'serviceError', (original) => (...args) => {
		const error = original(...args);
		change(error);
		return error;
	});

/** The node reads every answer as `change` has spoilt it. */
const spoiltAnswers = (change: (answer: ApiResponse) => ApiResponse): Plant =>
	defect('http/client', 'exchange', (original) => async (...args) => {
		const reply = await original(...args);
		if ('success' in reply) return { success: change(reply.success) };
		const { failure } = reply;
		return 'response' in failure ? { failure: { response: change(failure.response) } } : reply;
	});

interface Control {
	what: string;
	operation: typeof search;
	plant: Plant;
	finding: RegExp;
}

/** One defect for each thing that the fuzz run looks for. */
const controls: Control[] = [
	{
		what: 'a start that is repeated though the job may be running',
		operation: agentStart,
		plant: repeatsAll,
		finding: /^item \d: begun \d times$/,
	},
	{
		what: 'more jobs than items',
		operation: agentStart,
		plant: repeatsAll,
		finding: /^\d items? began \d things$/,
	},
	{
		what: 'an answer that is bought again when it was lost',
		operation: search,
		plant: repeatsAll,
		finding: /repeated after its answer was lost$/,
	},
	{
		what: 'results in another order than the items',
		operation: search,
		plant: defect(
			'values/outcome',
			'mapConcurrent',
			(original) =>
				async (...args) =>
					(await original(...args)).reverse(),
		),
		finding: /^out of order/,
	},
	{
		what: 'results without a link to their item',
		operation: search,
		plant: defect(
			'output/items',
			'toItems',
			(original) =>
				async (...args) =>
					(await original(...args)).map(({ pairedItem: _, ...item }) => item),
		),
		finding: /^an item without a link$/,
	},
	{
		what: 'an item that vanishes',
		operation: search,
		plant: defect(
			'output/items',
			'toItems',
			(original) =>
				async (...args) =>
					(await original(...args)).filter(
						({ pairedItem }) => JSON.stringify(pairedItem) !== '{"item":0}',
					),
		),
		finding: /^without any trouble, not every item comes out/,
	},
	{
		what: 'an item that vanishes under faults',
		operation: search,
		plant: defect(
			'execution/execute',
			'execute',
			(original) =>
				async (...args) =>
					(await original(...args)).map((items) => items.filter(({ error }) => !error)),
		),
		finding: /^item \d is missing$/,
	},
	{
		what: 'an item that comes out as a result and as an error',
		operation: search,
		plant: defect('execution/execute', 'execute', (original) => async (context, ...rest) => {
			const [items] = await original(context, ...rest);
			const [first] = items;
			const error = new NodeOperationError(context.getNode(), 'Failed', { itemIndex: 0 });
			return [[...items, ...(first ? [{ ...first, error }] : [])]];
		}),
		finding: /^item \d comes out both ways$/,
	},
	{
		what: 'a loss that no error item owns',
		operation: search,
		plant: spoiltErrors((error) => {
			error.message = 'Failed';
			error.description = '';
		}),
		finding: /: bought, lost and not owned/,
	},
	{
		what: 'a loss that the error of the run does not own',
		operation: search,
		plant: spoiltErrors((error) => {
			error.message = 'Failed';
			error.description = '';
		}),
		finding: /bought, and not owned/,
	},
	{
		what: 'an error that is not of the two kinds of n8n',
		operation: search,
		plant: defect('errors/message', 'asNodeError', () => () => {
			throw new Error('Failed');
		}),
		finding: /^an error of another kind/,
	},
	{
		what: 'an error without words',
		operation: search,
		plant: spoiltErrors((error) => {
			error.message = '';
		}),
		finding: /^an error without words$/,
	},
	{
		what: "an error in programmers' words",
		operation: search,
		plant: spoiltErrors((error) => {
			error.message = "Cannot read properties of undefined (reading 'data')";
		}),
		finding: /^an error in programmers' words/,
	},
	{
		what: 'a mistake of the program',
		operation: search,
		plant: defect('http/send', 'send', () => async (_request, { errorSource }) => {
			const cause = new TypeError('Failed');
			throw new NodeOperationError(errorSource.node, cause, { itemIndex: errorSource.itemIndex });
		}),
		finding: /^a mistake of the program/,
	},
	{
		what: 'an error that does not name its item',
		operation: search,
		plant: spoiltErrors((error) => {
			delete error.context.itemIndex;
		}),
		finding: /^an error without an item/,
	},
	{
		what: 'a job without an ID that is asked for',
		operation: agentRun,
		plant: defect('http/requireJobId', 'requireJobId', () => () => ({ id: undefined })),
		finding: /^asked for what there is not: GET \/v2\/agent\/undefined$/,
	},
	{
		what: 'an unknown state that is taken for the end of a job',
		operation: agentRun,
		plant: defect('jobs/poll', 'poll', (original) => async (request, deadline, requestContext) => {
			const unknown = new Promise<PollResult>((resolve, reject) => {
				void original(request, deadline, requestContext, (body) => {
					if (body.status !== 'processing') resolve({ body, finished: true });
				}).then(resolve, reject);
			});
			return await unknown;
		}),
		finding: /^gave up on a job that runs$/,
	},
	{
		what: 'partial data that is thrown away',
		operation: agentRun,
		plant: spoiltAnswers(({ body, ...answer }) => ({
			...answer,
			body: isRecord(body) ? { ...body, partial: undefined } : body,
		})),
		finding: /^partial data that arrived is lost$/,
	},
	{
		what: 'a quoted key',
		operation: search,
		plant: defect('http/credential', 'redactorOf', () => () => (text) => text),
		finding: /^a secret is in the run$/,
	},
	{
		what: 'a key in an address',
		operation: search,
		plant: defect(
			'http/client',
			'exchange',
			(original) => async (context, request) =>
				await original(context, { ...request, query: { ...request.query, key: canaries.key } }),
		),
		finding: /^a secret is in the address or headers of POST \/v2\/search$/,
	},
	{
		what: 'a key that is written to the log',
		operation: search,
		plant: defect('http/client', 'exchange', (original) => async (...args) => {
			console.debug(canaries.key);
			return await original(...args);
		}),
		finding: /^a secret is in a line of the log/,
	},
	{
		what: 'a redirect that is followed',
		operation: search,
		plant: defect('http/client', 'exchange', (original) => async (...args) => {
			const reply = await original(...args);
			if ('failure' in reply && 'response' in reply.failure) {
				const { location } = reply.failure.response.headers;
				if (typeof location === 'string' && location.startsWith('http')) await fetch(location);
			}
			return reply;
		}),
		finding: /^went elsewhere: GET/,
	},
	{
		what: 'a key that goes along to another host',
		operation: search,
		plant: defect('http/client', 'exchange', (original) => async (...args) => {
			const reply = await original(...args);
			if ('failure' in reply && 'response' in reply.failure) {
				const { location } = reply.failure.response.headers;
				const headers = { authorization: `Bearer ${canaries.key}` };
				if (typeof location === 'string' && location.startsWith('http'))
					await fetch(location, { headers });
			}
			return reply;
		}),
		finding: /^a secret went to another host/,
	},
];

/** A detector that has never fired proves nothing. */
describe('chaos reports', () => {
	const chaos = useChaosRuns();
	const plant = usePlants('dist');

	it.each(controls)('$what', async ({ operation, plant: planted, finding }) => {
		const findingsOf = chaos.of(operation);
		plant(planted);
		expect(await reported(chaos.setups(), findingsOf, finding)).toMatch(finding);
	});
});
