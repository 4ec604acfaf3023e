import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { builtNode } from '../../builtNode.cjs';
import { resources } from '../../../nodes/WebData/resources';
import { node } from '../schemaAssertions.cjs';

/** The node as a tool: n8n offers it under a name of its own. */
const tool = { ...builtNode('WebData').description, name: 'webDataTool' };

/** What n8n marks at a tool with these parameters before it runs, by field. */
const issuesOf = (parameters: INodeParameters) =>
	NodeHelpers.getNodeParametersIssues(tool.properties, { ...node, parameters }, tool)?.parameters ??
	{};

/** The parameters of a tool that was just added. */
function added(choice: { resource: string; operation: string }): INodeParameters {
	const own: INode = { ...node, parameters: choice };
	return NodeHelpers.getNodeParameters(tool.properties, choice, true, false, own, tool) ?? {};
}

/** The texts that a tool cannot do without, each with the parameters of an added tool. */
const texts = resources.flatMap(({ value: resource, operations }) =>
	operations.flatMap(({ value: operation }) => {
		const parameters = added({ resource, operation });
		return tool.properties
			.filter(({ required, type }) => required && type === 'string')
			.filter((field) => NodeHelpers.displayParameter(parameters, field, node, tool))
			.map(({ name, displayName }) => ({ resource, operation, name, displayName, parameters }));
	}),
);

it('are found among the fields of the tools', () => {
	expect([...new Set(texts.map(({ name }) => name))].sort()).toEqual([
		'binaryPropertyName',
		'checkId',
		'code',
		'id',
		'intent',
		'jobId',
		'name',
		'prompt',
		'query',
		'schedule',
		'snapshotId',
		'url',
		'urls',
	]);
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

it.each([
	['search', 'query', 'query'],
	['page', 'scrape', 'url'],
	['batch', 'run', 'urls'],
	['agent', 'run', 'prompt'],
])('the tool %s: %s has %s from the model at first', (resource, operation, name) => {
	const parameters = added({ resource, operation });
	expect(parameters[name]).toContain(`$fromAI('${name}'`);
	expect(issuesOf(parameters)).toEqual({});
});
