import type { INodeParameters } from 'n8n-workflow';
import { builtNode } from '../builtNode.cjs';
import { operationNames } from './operationNames.cjs';
import { useTestBed } from './testBed.cjs';

/** The text below a node on the canvas, as n8n computes it before the node has run. */
describe('The subtitle', () => {
	const testBed = useTestBed();
	const below = (type: 'WebData' | 'WebDataPollingTrigger', parameters: INodeParameters) => {
		const name = type.charAt(0).toLowerCase() + type.slice(1);
		const workflow = testBed.engine.workflow(
			{
				name: 'Canvas',
				nodes: [
					{
						id: 'a',
						name: 'Node',
						type: testBed.engine.typeName(name),
						typeVersion: 1,
						position: [0, 0],
						parameters,
					},
				],
				connections: {},
			},
			{},
		);
		const { subtitle } = builtNode(type).description;
		const node = workflow.getNode('Node');
		if (!node) throw new Error('The workflow has no node');
		return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	};

	const site = 'https://www.tidewatch.example';

	it.each<[shown: string, parameters: INodeParameters]>([
		['tides', { resource: 'search', operation: 'query', query: 'tides' }],
		['tidewatch.example/energy', { resource: 'page', operation: 'scrape', url: `${site}/energy` }],
		['3 URLs', { resource: 'batch', operation: 'run', urls: `${site}/a, ${site}/b\n${site}/c` }],
		['tidewatch.example/a', { resource: 'batch', operation: 'run', urls: ` ${site}/a,` }],
		['Scrape page', { resource: 'page', operation: 'scrape', url: '={{ $json.website }}' }],
		['Crawl website', { resource: 'crawl', operation: 'run', url: '' }],
	])('of the action node is %j', (shown, parameters) => {
		expect(below('WebData', parameters)).toBe(shown);
	});

	it.each(operationNames)(
		'of $resource: $operation has 40 characters at most',
		({ resource, operation }) => {
			const label = below('WebData', { resource, operation });
			const long = `${'tides and harbours, '.repeat(5)}`;
			const filled = { url: `${site}/${long}`, urls: long, query: long, prompt: long };

			expect(label).toEqual(expect.stringMatching(/^.{4,40}$/));
			expect(below('WebData', { resource, operation, ...filled })).toEqual(
				expect.stringMatching(/^.{4,40}$/),
			);
		},
	);

	it.each<[shown: string, parameters: INodeParameters]>([
		['tides', { watch: 'search', query: 'tides' }],
		['2 URLs', { watch: 'page', urls: 'https://a.example\nhttps://b.example' }],
		['Monitor Checks', { watch: 'monitor' }],
	])('of the Polling Trigger is %j', (shown, parameters) => {
		expect(below('WebDataPollingTrigger', parameters)).toBe(shown);
	});
});
