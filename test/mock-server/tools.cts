import { TextIndex } from './search/textIndex.cjs';
import { isWithin } from './search/index.cjs';

/** How much of a tool's contract comes back. */
export type ToolDetail = 'compact' | 'summary' | 'full';

/** A tool of the catalogue. */
export interface Tool {
	id: string;
	provider: string;
	capability: string;
	name: string;
	description: string;
	creditsCost: number;
	perRecord: boolean;
	options: Array<{ name: string; type: string; required?: boolean }>;
	response: { about: string; key: string; fields: Array<{ name: string; type: string }> };
}

export interface Provider {
	name: string;
	domain: string;
	category: string;
	/** Capabilities by group. */
	groups: Readonly<Record<string, readonly string[]>>;
}

/** How calls of a tool fail, as its error says it. */
export interface ToolTrouble {
	code: string;
	message: string;
	status?: number;
	charged?: boolean;
}

export type DiscoveredTool = Partial<Tool> &
	Pick<Tool, 'provider' | 'capability' | 'description'> & {
		matchedBy: Array<'semantic' | 'domain'>;
		matchedUrls?: string[];
	};

/** The most tools that one discovery source returns. */
export const toolCap = 24;

/** The tool catalogue and the two ways to find something in it. */
export class ToolCatalogue {
	readonly tools: readonly Tool[] = tools;
	/** Discovery by domain is out of order: searches say so in `warning`. */
	degraded = false;
	/** Providers that an administrator has switched off, for everybody: 403. */
	readonly disabled = new Set<string>();
	/** What the next calls of a tool come to, by its id; `charged`: its price was captured before. */
	readonly trouble = new Map<string, ToolTrouble>();
	private readonly index = new TextIndex<Tool>(
		tools,
		({ name, description, provider, capability, response }) => ({
			name,
			about: `${description} ${response.about}`,
			id: `${provider} ${capability}`,
		}),
		{ name: 3, about: 1, id: 1 },
	);

	/** Tools whose description matches the query, at most `count` and 24. */
	byMeaning(query: string, count: number): Tool[] {
		return this.index
			.search(query)
			.slice(0, Math.min(count, toolCap))
			.map(({ item }) => item);
	}

	/** Whether there is such a provider. */
	knows(provider: string): boolean {
		return provider in providers;
	}

	/** Everything works, for everybody. */
	clear(): void {
		this.degraded = false;
		this.disabled.clear();
		this.trouble.clear();
	}

	/** Tools whose provider serves the domain of one of the addresses, with these addresses. */
	byDomain(urls: readonly string[], count: number): Array<{ tool: Tool; urls: string[] }> {
		if (this.degraded) return [];
		return tools
			.map((tool) => ({
				tool,
				urls: urls.filter((url) =>
					isWithin(new URL(url).hostname, providers[tool.provider].domain),
				),
			}))
			.filter((match) => match.urls.length > 0)
			.slice(0, Math.min(count, toolCap));
	}
}

/** Merges the finds of both sources, each tool once, cut to the detail asked for. */
export function discovered(
	semantic: readonly Tool[],
	byDomain: ReadonlyArray<{ tool: Tool; urls: string[] }>,
	detail: ToolDetail,
): DiscoveredTool[] {
	const found = new Map<string, DiscoveredTool>();
	for (const tool of semantic) {
		found.set(tool.id, { ...contract(tool, detail), matchedBy: ['semantic'] });
	}
	for (const { tool, urls } of byDomain) {
		const before = found.get(tool.id);
		found.set(tool.id, {
			...contract(tool, detail),
			matchedBy: [...(before?.matchedBy ?? []), 'domain'],
			matchedUrls: urls,
		});
	}
	return [...found.values()];
}

function contract(
	tool: Tool,
	detail: ToolDetail,
): Partial<Tool> & Pick<Tool, 'provider' | 'capability' | 'description'> {
	const { options, response, ...summary } = tool;
	if (detail === 'full') return { ...summary, options, response };
	if (detail === 'summary') return summary;
	const { provider, capability, description } = tool;
	return { provider, capability, description };
}

const tool = (
	provider: string,
	capability: string,
	name: string,
	description: string,
	price: Pick<Tool, 'creditsCost' | 'perRecord'>,
	options: Tool['options'],
	response: Tool['response'],
): Tool => ({
	id: `${provider}/${capability}`,
	provider,
	capability,
	name,
	description,
	...price,
	options,
	response,
});
const perCall = (creditsCost: number): Pick<Tool, 'creditsCost' | 'perRecord'> => ({
	creditsCost,
	perRecord: false,
});
const perRecord = (creditsCost: number): Pick<Tool, 'creditsCost' | 'perRecord'> => ({
	creditsCost,
	perRecord: true,
});
const string = (name: string, required = false): Tool['options'][number] => ({
	name,
	type: 'string',
	...(required && { required }),
});
const number = (name: string): Tool['options'][number] => ({ name, type: 'number' });
const fields = (...names: string[]): Tool['response']['fields'] =>
	names.map((name) => ({ name, type: 'string' }));

/** Who offers tools: the domain that each serves, for the domain matches, and its place in the catalogue. */
export const providers: Readonly<Record<string, Provider>> = {
	tidewatch: {
		name: 'Tidewatch',
		domain: 'tidewatch.example',
		category: 'environment',
		groups: { water: ['tide-times', 'gauge-history'], warnings: ['storm-warnings'] },
	},
	'port-office': {
		name: 'Port Office',
		domain: 'portoffice.example',
		category: 'transport',
		groups: { harbour: ['harbour-fees', 'ship-arrivals'] },
	},
	emberroast: {
		name: 'Ember Roast',
		domain: 'emberroast.example',
		category: 'shopping',
		groups: { shop: ['coffee-offers'] },
	},
	relayworks: {
		name: 'Relayworks',
		domain: 'relayworks.example',
		category: 'software',
		groups: { templates: ['template-search'], operations: ['service-status'] },
	},
	fernwege: {
		name: 'Fernwege',
		domain: 'fernwege.example',
		category: 'transport',
		groups: { trains: ['train-connections'], walks: ['walking-routes'] },
	},
	filings: {
		name: 'Filings',
		domain: 'filings.example',
		category: 'finance',
		groups: { companies: ['company-search', 'annual-report'] },
	},
};

const tools: readonly Tool[] = [
	tool(
		'tidewatch',
		'tide-times',
		'Tide times',
		'High and low water times and heights for a harbour and a day.',
		perCall(1),
		[string('harbour', true), string('date')],
		{ about: 'Tides of the day', key: 'tides', fields: fields('time', 'height', 'kind') },
	),
	tool(
		'tidewatch',
		'gauge-history',
		'Tide gauge history',
		'Measured water levels of a tide gauge, one record per hour.',
		perRecord(1),
		[string('gauge', true), string('from'), string('to')],
		{ about: 'Hourly water levels', key: 'levels', fields: fields('time', 'level') },
	),
	tool(
		'tidewatch',
		'storm-warnings',
		'Storm warnings',
		'Current storm surge and weather warnings for a coast.',
		perCall(2),
		[string('coast', true)],
		{ about: 'Warnings in force', key: 'warnings', fields: fields('title', 'level', 'until') },
	),
	tool(
		'port-office',
		'harbour-fees',
		'Harbour fees',
		'What a ship of a given length pays for a berth per night.',
		perCall(1),
		[number('length'), number('nights')],
		{ about: 'The fee', key: 'fee', fields: fields('amount', 'currency') },
	),
	tool(
		'port-office',
		'ship-arrivals',
		'Ship arrivals',
		'Ships expected in the harbour, with berth and time of arrival.',
		perRecord(1),
		[string('date'), number('limit')],
		{ about: 'Expected ships', key: 'ships', fields: fields('name', 'berth', 'arrival') },
	),
	tool(
		'emberroast',
		'coffee-offers',
		'Coffee offers',
		'Coffee beans and equipment with price and availability.',
		perRecord(1),
		[string('product'), string('currency')],
		{ about: 'Offers found', key: 'offers', fields: fields('title', 'price', 'currency', 'url') },
	),
	tool(
		'relayworks',
		'template-search',
		'Workflow templates',
		'Find workflow automation templates by what they do.',
		perCall(1),
		[string('query', true), number('limit')],
		{ about: 'Templates found', key: 'templates', fields: fields('name', 'url', 'steps') },
	),
	tool(
		'relayworks',
		'service-status',
		'Service status',
		'Current status and past incidents of the automation platform.',
		perCall(0),
		[],
		{ about: 'Status by component', key: 'components', fields: fields('name', 'status') },
	),
	tool(
		'fernwege',
		'train-connections',
		'Train connections',
		'Train connections between two cities with duration and price.',
		perRecord(1),
		[string('from', true), string('to', true), string('date')],
		{
			about: 'Connections of the day',
			key: 'connections',
			fields: fields('departure', 'arrival', 'price'),
		},
	),
	tool(
		'fernwege',
		'walking-routes',
		'Walking routes',
		'Signposted walking routes near a place, with length and climb.',
		perCall(2),
		[string('place', true)],
		{ about: 'Routes found', key: 'routes', fields: fields('name', 'length', 'climb') },
	),
	tool(
		'filings',
		'company-search',
		'Company search',
		'Find registered companies by name, with their registry number.',
		perRecord(1),
		[string('name', true), number('limit')],
		{ about: 'Companies found', key: 'companies', fields: fields('name', 'number', 'country') },
	),
	tool(
		'filings',
		'annual-report',
		'Annual report',
		'Revenue, profit and staff of a company from its annual report.',
		perCall(5),
		[string('number', true), number('year')],
		{ about: 'Figures of one year', key: 'report', fields: fields('revenue', 'profit', 'staff') },
	),
];
