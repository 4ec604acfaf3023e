import { NodeOperationError } from 'n8n-workflow';
import { z } from 'zod/v3';
import { resources } from '../../nodes/WebData/resources';
import type { Request } from '../../nodes/runtime/http/client';
import { MultipartBody, UploadedFile } from '../mock-server/parse/multipart.cjs';
import type { LogEntry } from '../mock-server/requestLog.cjs';
import { canaries } from './fuzzRun.cjs';
import { useContractRuns } from './contractRuns.cjs';
import { reported } from './controls.cjs';
import { fieldsOf } from './directRuns.cjs';
import { randomParameters } from './randomParameters.cjs';
import { requestFindings } from './findings.cjs';
import { defect, usePlants, type Plant } from './plants.cjs';

const search = { resource: 'search', operation: 'query' };

/** The operation's schema refuses everything. */
const closedSchema: Plant = () => {
	const operation = resources
		.find(({ value }) => value === search.resource)
		?.operations.find(({ value }) => value === search.operation);
	if (!operation) throw new Error('There is no such operation');
	const { schema } = operation;
	operation.schema = z.never();
	return () => void (operation.schema = schema);
};

/** Every request goes out with a change. */
const spoiltRequests = (change: Partial<Request>): Plant =>
	defect(
		'http/client',
		'exchange',
		(original) => async (context, request) => await original(context, { ...request, ...change }),
	);

interface Control {
	what: string;
	plant: Plant;
	finding: RegExp;
}

/** One defect for each thing that the fuzz run looks for. */
const controls: Control[] = [
	{
		what: 'a request that the service refuses',
		plant: defect(
			'http/client',
			'exchange',
			(original) => async (context, request) =>
				await original(context, { ...request, body: { ...request.body, nonsense: true } }),
		),
		finding: /^400 to POST \/v2\/search/,
	},
	{
		what: 'a request to an address that the API does not have',
		plant: spoiltRequests({ nextPage: '/nowhere' }),
		finding: /^no route of the API: POST \/v2\/nowhere$/,
	},
	{
		what: 'a refusal without its item',
		plant: defect(
			'errors/message',
			'inputError',
			(original) =>
				(issues, { itemIndex: _, ...errorSource }) =>
					original(issues, errorSource),
		),
		finding: /^an error without an item/,
	},
	{
		what: "a refusal in programmers' words",
		plant: defect('errors/message', 'inputError', (original) => (...args) => {
			const refusal = original(...args);
			refusal.message = 'Expected string, received number';
			return refusal;
		}),
		finding: /^an error in programmers' words/,
	},
	{
		what: 'a mistake of the program',
		plant: defect(
			'errors/message',
			'inputError',
			() =>
				(_issues, { node, itemIndex }) =>
					new NodeOperationError(node, new TypeError('Failed'), { itemIndex }),
		),
		finding: /^a mistake of the program/,
	},
	{
		what: 'a key that comes out',
		plant: defect(
			'output/items',
			'toItems',
			(original) =>
				async (...args) =>
					(await original(...args)).map((item) => ({
						...item,
						json: { ...item.json, key: canaries.key },
					})),
		),
		finding: /^a secret is in the items$/,
	},
	{
		what: 'a key in an address',
		plant: spoiltRequests({ query: { key: canaries.key } }),
		finding: /^a secret is in the address or headers/,
	},
	{
		what: 'a key that is written to the log',
		plant: defect('output/items', 'toItems', (original) => (...args) => {
			console.debug(canaries.key);
			return original(...args);
		}),
		finding: /^a secret is in a line of the log/,
	},
	{
		what: 'a result that nobody was asked for',
		plant: defect(
			'http/send',
			'send',
			() => async () =>
				await Promise.resolve({ status: 200, headers: {}, body: { data: { web: [{}] } } }),
		),
		finding: /^an item without a request$/,
	},
];

/** A detector that has never fired proves nothing. */
describe('the contract fuzz run reports', () => {
	const contract = useContractRuns();
	const plant = usePlants('.build');
	const setups = randomParameters(fieldsOf(search));

	it.each(controls)('$what', async ({ plant: planted, finding }) => {
		const { findingsOf } = contract.of(search);
		plant(planted);
		expect(await reported(setups, findingsOf, finding)).toMatch(finding);
	});

	it('objects that everybody shares and that were changed', async () => {
		const { findingsOf, pollution } = contract.of(search);
		plant(
			defect('output/items', 'toItems', (original) => (...args) => {
				Reflect.set(Object.prototype, 'polluted', 1);
				return original(...args);
			}),
		);
		await reported(setups, findingsOf, /^never$/);
		const found = pollution();
		Reflect.deleteProperty(Object.prototype, 'polluted');
		expect(found).toEqual(['objects that everybody shares were changed']);
	});

	it('an operation that refuses whatever it is given', async () => {
		const { findingsOf, count } = contract.of(search);
		plant(closedSchema);
		await reported(setups, findingsOf, /^never$/);
		expect(count).toMatchObject({ sent: 0 });
	});
});

/** A request that was refused, and sent again with another body. */
const sentAgain = (refused: unknown, again: unknown, method = 'POST'): LogEntry[] => {
	const entry = {
		at: 0,
		path: '/v2/search',
		query: {},
		headers: {},
		authorization: true,
		credits: 0,
	};
	return [
		{ ...entry, id: 'refused', method: 'POST', body: refused, status: 400 },
		{ ...entry, id: 'again', method, body: again, status: 200 },
	];
};

const form = (options: object, file = 'a.pdf') =>
	new MultipartBody([
		['options', JSON.stringify(options)],
		['file', new UploadedFile(file, 'application/pdf', Buffer.from('%PDF'))],
	]);

describe('of a refused request that was sent again, the contract fuzz run', () => {
	const passed = new Set(['fresh', 'deep']);
	const asked = { query: 'tides', limit: 5, scrapeOptions: { formats: [{ type: 'markdown' }] } };
	const nested = {
		...asked,
		scrapeOptions: { formats: [{ type: 'markdown', deep: { limit: 1 } }] },
	};

	it.each<[string, unknown, unknown]>([
		['a member that was passed on', { ...asked, fresh: 1 }, asked],
		['several, inside others', { ...nested, fresh: 1 }, asked],
		['one of a form', form({ formats: [], fresh: 1 }), form({ formats: [] })],
	])('bears that %s is left out', (_, refused, again) => {
		expect(requestFindings(sentAgain(refused, again), [], passed)).toEqual([]);
	});

	const { limit: _, ...unlimited } = asked;
	it.each<[string, LogEntry[]]>([
		['nothing is left out', sentAgain(asked, asked)],
		['a known member is left out', sentAgain(asked, unlimited)],
		['a known member is left out, too', sentAgain({ ...asked, fresh: 1 }, unlimited)],
		['another one comes in', sentAgain({ ...unlimited, fresh: 1 }, asked)],
		['another one changes', sentAgain({ ...asked, fresh: 1 }, { ...asked, limit: 6 })],
		['an entry of a list is left out', sentAgain({ list: [1, 2], fresh: 1 }, { list: [1] })],
		['it is another request', sentAgain({ ...asked, fresh: 1 }, asked, 'PATCH')],
		['a known member of a form is left out', sentAgain(form({ formats: [] }), form({}))],
		['the form holds another file', sentAgain(form({ fresh: 1 }), form({}, 'b.pdf'))],
	])('reports that %s', (_what, entries) => {
		expect(requestFindings(entries, [], passed)).toEqual([
			expect.stringMatching(/^400 to POST \/v2\/search/),
		]);
	});
});
