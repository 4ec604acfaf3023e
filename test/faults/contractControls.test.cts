import { NodeOperationError } from 'n8n-workflow';
import { z } from 'zod/v3';
import { resources } from '../../nodes/WebData/resources';
import { canaries } from './campaign.cjs';
import { useContractRuns } from './contractRuns.cjs';
import { reported } from './controls.cjs';
import { fieldsOf } from './directRuns.cjs';
import { drawnParameters } from './drawnParameters.cjs';
import { defect, usePlants, type Plant } from './plants.cjs';

const search = { resource: 'search', operation: 'query' };

/** The operation's contract refuses everything. */
const closedContract: Plant = () => {
	const operation = resources
		.find(({ value }) => value === search.resource)
		?.operations.find(({ value }) => value === search.operation);
	if (!operation) throw new Error('There is no such operation');
	const { contract } = operation;
	operation.contract = z.never();
	return () => void (operation.contract = contract);
};

/** Every request goes out with a change. */
const spoiltRequests = (change: object): Plant =>
	defect(
		'client',
		'exchange',
		(original) => async (context, request) => await original(context, { ...request, ...change }),
	);

interface Control {
	what: string;
	plant: Plant;
	finding: RegExp;
}

/** One defect for each thing that the campaign looks for. */
const controls: Control[] = [
	{
		what: 'a request that the service refuses',
		plant: defect(
			'client',
			'exchange',
			(original) => async (context, request) =>
				await original(context, { ...request, body: { ...request.body, nonsense: true } }),
		),
		finding: /^400 to POST \/v2\/search/,
	},
	{
		what: 'a request to an address that the API does not have',
		plant: spoiltRequests({ path: '/nowhere' }),
		finding: /^no route of the API: POST \/v2\/nowhere$/,
	},
	{
		what: 'a refusal without its item',
		plant: defect(
			'errors',
			'inputError',
			(original) =>
				(issues, { itemIndex: _, ...place }) =>
					original(issues, place),
		),
		finding: /^an error without an item/,
	},
	{
		what: "a refusal in programmers' words",
		plant: defect('errors', 'inputError', (original) => (...args) => {
			const refusal = original(...args);
			refusal.message = 'Expected string, received number';
			return refusal;
		}),
		finding: /^an error in programmers' words/,
	},
	{
		what: 'a mistake of the program',
		plant: defect(
			'errors',
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
			'items',
			'toItems',
			(original) =>
				(...args) =>
					original(...args).map((item) => ({ ...item, json: { ...item.json, key: canaries.key } })),
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
		plant: defect('items', 'toItems', (original) => (...args) => {
			console.debug(canaries.key);
			return original(...args);
		}),
		finding: /^a secret is in a line of the log/,
	},
	{
		what: 'a result that nobody was asked for',
		plant: defect(
			'send',
			'send',
			() => async () =>
				await Promise.resolve({ status: 200, headers: {}, body: { data: { web: [{}] } } }),
		),
		finding: /^an item without a request$/,
	},
];

/** A detector that has never fired proves nothing. */
describe('the contract campaign reports', () => {
	const contract = useContractRuns();
	const plant = usePlants('.build');
	const setups = drawnParameters(fieldsOf(search));

	it.each(controls)('$what', async ({ plant: planted, finding }) => {
		const { findingsOf } = contract.of(search);
		plant(planted);
		expect(await reported(setups, findingsOf, finding)).toMatch(finding);
	});

	it('objects that everybody shares and that were changed', async () => {
		const { findingsOf, pollution } = contract.of(search);
		plant(
			defect('items', 'toItems', (original) => (...args) => {
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
		plant(closedContract);
		await reported(setups, findingsOf, /^never$/);
		expect(count).toMatchObject({ sent: 0 });
	});
});
