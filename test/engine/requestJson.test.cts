import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { builtNode } from '../builtNode.cjs';
import { operationNames, type OperationName } from './operationNames.cjs';
import { useTestBed } from './testBed.cjs';
import { Fixtures, validParameters } from './validParameters.cjs';

const { description } = builtNode('WebData');

/** The fields that the editor shows for an operation at first. */
const shownFor = (name: OperationName): INodeProperties[] =>
	description.properties.filter((field) =>
		NodeHelpers.displayParameter({ ...name }, field, null, description),
	);

/** *Request (JSON)* of an operation, if it has it. */
const requestJsonOf = (name: OperationName) =>
	shownFor(name)
		.filter((field) => field.name === 'additionalFields')
		.flatMap(({ options = [] }) => options)
		.find((option): option is INodeProperties => option.name === 'requestJson' && 'type' in option);

/** The fields that must be filled in beside *Request (JSON)*, which can have them, too. */
const required = operationNames.filter(requestJsonOf).flatMap((name) =>
	shownFor(name)
		.filter((field) => field.required && field.type === 'string' && field.default === '')
		.map(({ name: field, displayName }) => ({ ...name, field, displayName })),
);

it('is beside a required field in these operations', () => {
	expect(required.map(({ resource, operation, field }) => [resource, operation, field])).toEqual([
		['search', 'query', 'query'],
		['page', 'scrape', 'url'],
		['crawl', 'run', 'url'],
		['crawl', 'start', 'url'],
		['map', 'get', 'url'],
		['batch', 'run', 'urls'],
		['batch', 'start', 'urls'],
		['site', 'sync', 'url'],
		['agent', 'run', 'prompt'],
		['agent', 'start', 'prompt'],
		['monitor', 'create', 'name'],
	]);
});

/** n8n checks what is stored, so it does not see that Request (JSON) has the value of an empty field. */
describe.each(required)(
	'$displayName in Request (JSON) of $resource: $operation',
	({ field, displayName, ...name }) => {
		const testBed = useTestBed();

		/** Runs the operation with the value of the field in the JSON, and another in the field itself. */
		async function runWith(value: string) {
			const account = testBed.account();
			const { [field]: own, ...others } = await validParameters(
				name,
				new Fixtures(testBed.service, account),
			);
			const additionalFields = { requestJson: { [field]: own } };
			const parameters = { ...others, [field]: value, additionalFields };
			const options = { account, input: [{ tag: 'a' }] };
			return await testBed.run(name.resource, name.operation, parameters, options);
		}

		it('does not replace that of the panel for n8n, as the description says', async () => {
			expect(requestJsonOf(name)?.description).toContain(
				"Fill in the node's required fields, too, because n8n checks them first.",
			);
			await expect(runWith('')).rejects.toThrow(`Parameter "${displayName}" is required.`);
		});

		it('is used if the expression of the field returns nothing', async () => {
			const run = await runWith('={{ $json.nothing }}');
			expect([run.status, run.error?.message]).toEqual(['success', undefined]);
		});
	},
);
