import fc from 'fast-check';
import { NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import { isRecord } from '../../nodes/runtime/values/record';
import type { ApiResponse } from '../../nodes/runtime/errors/response';
import { WebDataError } from '../../nodes/runtime/errors/webDataError';
import { inWords, operationNames, type OperationName } from '../engine/operationNames.cjs';
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
	'mayTryAgain',
	(original) =>
		(failures, _cost, ...rest) =>
			original(failures, 'free', ...rest),
);

/** Every refusal is an error that `change` has spoilt. */
const spoiltErrors = (change: (error: WebDataError) => WebDataError): Plant =>
	defect(
		'http/serviceError',
		'serviceError',
		(original) =>
			(...args) =>
				change(original(...args)),
	);

/** The items that come out are changed. */
const spoiltItems = (change: (items: INodeExecutionData[]) => INodeExecutionData[]): Plant =>
	defect(
		'execution/items',
		'toItems',
		(original) =>
			async (...args) =>
				change(await original(...args)),
	);

/** The node reads every answer as `change` has spoilt it. */
const spoiltAnswers = (change: (answer: ApiResponse) => ApiResponse): Plant =>
	defect('http/client', 'exchange', (original) => async (...args) => {
		const reply = await original(...args);
		if ('success' in reply) return { success: change(reply.success) };
		const { failure } = reply;
		return 'response' in failure ? { failure: { response: change(failure.response) } } : reply;
	});

/** One defect for each thing that the fuzz run looks for, and what is reported of it. */
const controls: Array<[what: string, OperationName, Plant, ...findings: RegExp[]]> = [
	[
		'a start that is repeated though the job may be running',
		agentStart,
		repeatsAll,
		/^item \d: begun \d times$/,
		/^\d items? began \d things$/,
	],
	[
		'an answer that is bought again when it was lost',
		search,
		repeatsAll,
		/repeated after its answer was lost$/,
	],
	[
		'results in another order than the items',
		search,
		defect(
			'execution/execute',
			'execute',
			(original) =>
				async (...args) =>
					(await original(...args)).map((items) => items.reverse()),
		),
		/^out of order/,
	],
	[
		'results without a link to their item',
		search,
		spoiltItems((items) => items.map(({ pairedItem: _, ...item }) => item)),
		/^an item without a link$/,
	],
	[
		'an item that vanishes',
		search,
		spoiltItems((items) =>
			items.filter(({ pairedItem }) => JSON.stringify(pairedItem) !== '{"item":0}'),
		),
		/^without any trouble, not every item comes out/,
	],
	[
		'an item that vanishes under faults',
		search,
		defect(
			'execution/execute',
			'execute',
			(original) =>
				async (...args) =>
					(await original(...args)).map((items) => items.filter(({ error }) => !error)),
		),
		/^item \d is missing$/,
	],
	[
		'an item that comes out as a result and as an error',
		search,
		defect('execution/execute', 'execute', (original) => async (context, ...rest) => {
			const [items] = await original(context, ...rest);
			const [first] = items;
			const error = new NodeOperationError(context.getNode(), 'Failed', { itemIndex: 0 });
			return [[...items, ...(first ? [{ ...first, error }] : [])]];
		}),
		/^item \d comes out both ways$/,
	],
	[
		'a loss that neither the error of its item owns, nor that of the run',
		search,
		spoiltErrors(({ source, request }) => new WebDataError('Failed', { request }, source)),
		/: bought, lost and not owned/,
		/bought, and not owned/,
	],
	[
		'a job without an ID that is asked for',
		agentRun,
		defect('execution/results', 'requireJobId', () => () => ({ id: undefined })),
		/^asked for what there is not: GET \/v2\/agent\/undefined$/,
	],
	[
		'an unknown state that is taken for the end of a job',
		agentRun,
		spoiltAnswers(({ body, ...answer }) => {
			const isUnknown = typeof Reflect.get(Object(body), 'status') === 'string';
			return { ...answer, body: isUnknown ? { ...Object(body), status: 'completed' } : body };
		}),
		/^gave up on a job that runs$/,
	],
	[
		'partial data that is thrown away',
		agentRun,
		spoiltAnswers(({ body, ...answer }) => ({
			...answer,
			body: isRecord(body) ? { ...body, partial: undefined } : body,
		})),
		/^partial data that arrived is lost$/,
	],
	[
		'a quoted key',
		search,
		defect('http/credential', 'redactorOf', () => () => (text) => text),
		/^a secret is in the run$/,
	],
	[
		'a key in an address and in the log',
		search,
		defect('http/client', 'exchange', (original) => async (context, request) => {
			console.debug(canaries.key);
			return await original(context, {
				...request,
				query: { ...request.query, key: canaries.key },
			});
		}),
		/^a secret is in the address or headers of POST \/v2\/search$/,
		/^a secret is in a line of the log/,
	],
	[
		'a redirect that is followed with the key',
		search,
		defect('http/client', 'exchange', (original) => async (...args) => {
			const reply = await original(...args);
			if ('failure' in reply && 'response' in reply.failure) {
				const { location } = reply.failure.response.headers;
				const headers = { authorization: `Bearer ${canaries.key}` };
				if (typeof location === 'string' && location.startsWith('http'))
					await fetch(location, { headers });
			}
			return reply;
		}),
		/^went elsewhere: GET/,
		/^a secret went to another host/,
	],
];

/** A detector that has never fired proves nothing. */
describe('chaos reports', () => {
	const chaos = useChaosRuns();
	const plant = usePlants('dist');

	it.each(controls)('%s', async (_what, operation, planted, ...findings) => {
		const findingsOf = chaos.of(operation);
		plant(planted);
		for (const finding of findings) {
			expect(await reported(chaos.setups(), findingsOf, finding)).toMatch(finding);
		}
	});
});
