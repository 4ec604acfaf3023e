import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { resources } from '../../../nodes/WebData/resources';
import { builtNode } from '../../builtNode.cjs';
import { node } from '../schemaAssertions.cjs';

const { description } = builtNode('WebData');
/** The node as a tool: n8n offers it under a name of its own. */
const tool = { ...description, name: 'webDataTool' };

const operations = resources.flatMap(({ value: resource, operations: all }) =>
	all.map(({ value: operation }) => ({ resource, operation })),
);

describe.each(['crawl', 'batch', 'agent'])('the options of %s: run', (resource) => {
	/** The names that the menu offers beside the options that are set. */
	function offered(options: Record<string, string>): string[] {
		const values = { resource, operation: 'run', options };
		return description.properties
			.filter(({ name }) => name === 'options')
			.filter((field) => NodeHelpers.displayParameter(values, field, node, description))
			.flatMap((field) => field.options ?? [])
			.filter((option): option is INodeProperties => 'type' in option)
			.filter((option) =>
				NodeHelpers.displayParameterPath(values, option, 'options', node, description),
			)
			.map(({ name }) => name);
	}

	it.each([
		[{}, 'maxWait', true],
		[{ output: 'raw' }, 'outputFields', false],
		[{ output: 'fields' }, 'outputFields', true],
	])('offer beside %j %s: %p', (options, name, isOffered) => {
		expect(offered({ ...options }).includes(name)).toBe(isOffered);
	});
});

/** What n8n marks at a tool with these parameters before it runs, by field. */
const issuesOf = (parameters: INodeParameters) =>
	NodeHelpers.getNodeParametersIssues(tool.properties, { ...node, parameters }, tool)?.parameters ??
	{};

/** The parameters of a tool that was just added. */
const added = (chosen: { resource: string; operation: string }): INodeParameters =>
	NodeHelpers.getNodeParameters(tool.properties, chosen, true, false, node, tool) ?? {};

/** The texts that a tool cannot do without, each with the parameters of an added tool. */
const texts = operations.flatMap(({ resource, operation }) => {
	const parameters = added({ resource, operation });
	return tool.properties
		.filter(({ required, type }) => required && type === 'string')
		.filter((field) => NodeHelpers.displayParameter(parameters, field, node, tool))
		.map(({ name, displayName }) => ({ resource, operation, name, displayName, parameters }));
});

it('the texts that a tool needs are found among its fields', () => {
	const names =
		'binaryPropertyName checkId code id intent jobId prompt query schedule snapshotId url urls';
	expect([...new Set(texts.map(({ name }) => name))].sort()).toEqual(names.split(' '));
});

it.each(texts)(
	'$displayName of the tool $resource: $operation has an issue only once it is emptied',
	({ name, displayName, parameters }) => {
		expect(issuesOf(parameters)).not.toHaveProperty(name);
		expect(issuesOf({ ...parameters, [name]: '' })).toMatchObject({
			[name]: [`Parameter "${displayName}" is required.`],
		});
	},
);
