import type { INodeParameters } from 'n8n-workflow';
import { builtNode } from '../builtNode.cjs';
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

	it.each<[shown: string, parameters: INodeParameters]>([
		['Search web: tides', { resource: 'search', operation: 'query', query: 'tides' }],
		[
			'Scrape page: tidewatch.example/energy',
			{ resource: 'page', operation: 'scrape', url: 'https://www.tidewatch.example/energy' },
		],
		['Scrape page', { resource: 'page', operation: 'scrape', url: '={{ $json.website }}' }],
		['Crawl website', { resource: 'crawl', operation: 'run', url: '' }],
		['Get account credit usage', { resource: 'account', operation: 'getCreditUsage' }],
	])('of the action node is %j', (shown, parameters) => {
		expect(below('WebData', parameters)).toBe(shown);
	});

	it.each<[shown: string, parameters: INodeParameters]>([
		['Search Results: tides', { watch: 'search', query: 'tides' }],
		['Pages: a.example', { watch: 'page', urls: 'a.example' }],
	])('of the Polling Trigger is %j', (shown, parameters) => {
		expect(below('WebDataPollingTrigger', parameters)).toBe(shown);
	});
});
