import { TextIndex } from './search/textIndex.cjs';
import { isWithin } from './search/index.cjs';

/** How much of a tool's contract comes back (addendum section 3, `toolDetail`). */
export type ToolDetail = 'compact' | 'summary' | 'full';

/** A tool of the catalogue (base spec, DiscoveredTool). */
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

export type DiscoveredTool = Partial<Tool> &
	Pick<Tool, 'provider' | 'capability' | 'description'> & {
		matchedBy: Array<'semantic' | 'domain'>;
		matchedUrls?: string[];
	};

/** The most tools that one discovery source returns (addendum section 3). */
export const toolCap = 24;

/** The tool catalogue and the two ways to find something in it. */
export class ToolCatalogue {
	readonly tools: readonly Tool[] = tools;
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

	/** Tools whose provider serves the domain of one of the addresses, with these addresses. */
	byDomain(urls: readonly string[], count: number): Array<{ tool: Tool; urls: string[] }> {
		return tools
			.map((tool) => ({
				tool,
				urls: urls.filter((url) =>
					providerDomains[tool.provider].some((domain) => isWithin(new URL(url).hostname, domain)),
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

function contract(tool: Tool, detail: ToolDetail): Partial<Tool> & Pick<Tool, 'provider' | 'capability' | 'description'> {
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
	id: `${provider}/${capability}`, provider, capability, name, description, ...price, options, response,
});
const perCall = (creditsCost: number): Pick<Tool, 'creditsCost' | 'perRecord'> => ({
	creditsCost, perRecord: false,
});
const perRecord = (creditsCost: number): Pick<Tool, 'creditsCost' | 'perRecord'> => ({
	creditsCost, perRecord: true,
});
const string = (name: string, required = false): Tool['options'][number] => ({
	name, type: 'string', ...(required && { required }),
});
const number = (name: string): Tool['options'][number] => ({ name, type: 'number' });
const fields = (...names: string[]): Tool['response']['fields'] =>
	names.map((name) => ({ name, type: 'string' }));

/** Which domains each provider serves, for the domain matches. */
const providerDomains: Record<string, readonly string[]> = {
	tidewatch: ['tidewatch.example'],
	filings: ['filings.example'],
	labour: ['jobboard.example'],
	atlas: ['atlas.example'],
	market: ['shop.example'],
};

const tools: readonly Tool[] = [
	tool('tidewatch', 'tide-times', 'Tide times', 'High and low water times and heights for a harbour and a day.',
		perCall(1), [string('harbour', true), string('date')],
		{ about: 'Tides of the day', key: 'tides', fields: fields('time', 'height', 'kind') }),
	tool('tidewatch', 'gauge-history', 'Tide gauge history', 'Measured water levels of a tide gauge, one record per hour.',
		perRecord(1), [string('gauge', true), string('from'), string('to')],
		{ about: 'Hourly water levels', key: 'levels', fields: fields('time', 'level') }),
	tool('tidewatch', 'storm-warnings', 'Storm warnings', 'Current storm surge and weather warnings for a coast.',
		perCall(2), [string('coast', true)],
		{ about: 'Warnings in force', key: 'warnings', fields: fields('title', 'level', 'until') }),
	tool('filings', 'company-search', 'Company search', 'Find registered companies by name, with their registry number.',
		perRecord(1), [string('name', true), number('limit')],
		{ about: 'Companies found', key: 'companies', fields: fields('name', 'number', 'country') }),
	tool('filings', 'annual-report', 'Annual report', 'Revenue, profit and staff of a company from its annual report.',
		perCall(5), [string('number', true), number('year')],
		{ about: 'Figures of one year', key: 'report', fields: fields('revenue', 'profit', 'staff') }),
	tool('labour', 'job-search', 'Job search', 'Open jobs by title and city, with salary where it is given.',
		perRecord(1), [string('title', true), string('city'), number('limit')],
		{ about: 'Open positions', key: 'jobs', fields: fields('title', 'employer', 'city', 'salary') }),
	tool('labour', 'salary-range', 'Salary range', 'The usual salary for a job title in a country.',
		perCall(2), [string('title', true), string('country')],
		{ about: 'Salary quartiles', key: 'salary', fields: fields('low', 'median', 'high') }),
	tool('atlas', 'geocode', 'Geocode an address', 'Coordinates of a postal address or a place name.',
		perCall(1), [string('address', true)],
		{ about: 'Best place', key: 'place', fields: fields('latitude', 'longitude', 'name') }),
	tool('atlas', 'route', 'Route between places', 'Distance and duration by car, bicycle or on foot between two places.',
		perCall(2), [string('from', true), string('to', true), string('by')],
		{ about: 'The route', key: 'route', fields: fields('distance', 'duration') }),
	tool('market', 'product-offers', 'Product offers', 'Offers with price and availability for a product.',
		perRecord(1), [string('product', true), string('currency')],
		{ about: 'Offers found', key: 'offers', fields: fields('title', 'price', 'currency', 'url') }),
];
