import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { guides, picked, tides, unknownId, useMonitors } from './monitors.cjs';

/** What the editor shows and stores for each operation, and what appears and vanishes with a choice. */
describe("a monitor's fields in the editor", () => {
	const monitors = useMonitors();

	const nodeWith = (parameters: INodeParameters): INode => ({
		id: 'node',
		name: 'Web Data',
		type: monitors.testBed.engine.typeName('webData'),
		typeVersion: 1,
		position: [0, 0],
		parameters,
	});

	/** The parameters that n8n keeps, with the defaults of all fields that are shown. */
	function kept(operation: string, set: INodeParameters = {}): INodeParameters {
		const { description } = monitors;
		const parameters = { resource: 'monitor', operation, ...set };
		const node = nodeWith(parameters);
		const { properties } = description;
		const all = NodeHelpers.getNodeParameters(
			properties,
			parameters,
			true,
			false,
			node,
			description,
		);
		const { resource, operation: chosen, ...fields } = all ?? {};
		expect([resource, chosen]).toEqual(['monitor', operation]);
		return fields;
	}

	/** The only target of what is kept. */
	const keptTarget = (target: INodeParameters): Record<string, unknown> => {
		const { targets } = kept('create', { targets: { values: [target] } });
		const [entry] = Reflect.get(Object(targets), 'values') as Array<Record<string, unknown>>;
		return entry;
	};

	it.each([
		['scrape', ['formats', 'optionsJson', 'type', 'urls']],
		['crawl', ['formats', 'limit', 'optionsJson', 'type', 'url']],
		['search', ['maxResults', 'optionsJson', 'queries', 'type']],
	])('are those of a target of the type %s', (type, names) => {
		expect(Object.keys(keptTarget({ type })).sort()).toEqual(names);
	});

	it('lose what was filled in for another type, and what the node no longer has', () => {
		const left = {
			urls: tides,
			url: guides,
			queries: 'tide',
			limit: 3,
			formats: ['links'],
			scrapeOptions: { mobile: true },
			options: { id: unknownId, searchWindow: '7d' },
		};
		expect(keptTarget({ type: 'scrape', ...left })).toEqual({
			type: 'scrape',
			urls: tides,
			formats: ['links'],
			optionsJson: '{}',
		});
		expect(keptTarget({ type: 'search', ...left })).toEqual({
			type: 'search',
			queries: 'tide',
			maxResults: 10,
			optionsJson: '{}',
		});
	});

	it('need a monitor before anything is run', () => {
		const { description } = monitors;
		const issuesOf = (monitorId: INodeParameters) => {
			const parameters = { resource: 'monitor', operation: 'run', monitorId };
			const node = nodeWith(parameters);
			return NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		};
		expect(issuesOf(picked('', 'list'))?.parameters).toHaveProperty('monitorId');
		expect(issuesOf(picked(unknownId, 'list'))).toBeNull();
	});
});
