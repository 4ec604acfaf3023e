import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { builtNode } from '../../builtNode.cjs';
import { node } from '../schemaAssertions.cjs';

const { description } = builtNode('WebData');

/** The names that the editor's menu of options offers beside those that are set. */
function offered(resource: string, options: Record<string, string>): string[] {
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

describe.each(['crawl', 'batch', 'agent'])('the options of %s: run', (resource) => {
	it('offer a longest wait unless the node does not wait', () => {
		expect(offered(resource, {})).toContain('maxWait');
		expect(offered(resource, { wait: 'poll' })).toContain('maxWait');
		expect(offered(resource, { wait: 'none' })).not.toContain('maxWait');
	});

	it('offer fields to select only if they are what comes out', () => {
		expect(offered(resource, { output: 'raw' })).not.toContain('outputFields');
		expect(offered(resource, { output: 'fields' })).toContain('outputFields');
	});
});
