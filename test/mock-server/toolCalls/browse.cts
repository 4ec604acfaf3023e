import { parseUrl } from '../parseUrl.cjs';
import type { FindTools, ToolCallRequest } from '../schemas/toolCalls.cjs';
import { providers, type Tool, type ToolCatalogue } from '../tools.cjs';

/** One thing on a page of the catalogue: something to look into, or a tool to execute. */
interface CatalogueItem {
	id: string;
	name: string;
	next?: ToolCallRequest;
	execute?: Pick<Tool, 'provider' | 'capability'>;
	[fact: string]: unknown;
}

/** A page of the catalogue. `next` objects are calls to be posted back unchanged. */
export interface CataloguePage {
	level: NonNullable<FindTools['level']>;
	items: CatalogueItem[];
	total: number;
	next: ToolCallRequest | null;
}

/**
 * Browses the catalogue; nothing is executed or charged. Without a level it is `tools` when something
 * says which tools, else `providers`.
 */
export function browse(catalogue: ToolCatalogue, request: FindTools): CataloguePage {
	const tools = matching(catalogue, request);
	const level = request.level ?? (namesTools(request) ? 'tools' : 'providers');
	const items = itemsOf(level, tools, request);
	const { limit, offset } = request;
	const more = items.length > offset + limit;
	return {
		level,
		items: items.slice(offset, offset + limit),
		total: items.length,
		next: more ? findTools({ ...request, level, offset: offset + limit }) : null,
	};
}

function findTools(options: Partial<FindTools>): ToolCallRequest {
	return { provider: 'firecrawl', capability: 'find-tools', options };
}

function namesTools({ query, urls, groups, capabilities }: FindTools): boolean {
	return Boolean(query?.trim() || urls || groups || capabilities);
}

function matching(catalogue: ToolCatalogue, request: FindTools): Tool[] {
	const { query, urls, capabilities, categories, groups } = request;
	const found = query?.trim() ? catalogue.byMeaning(query, Infinity) : catalogue.tools;
	const addresses = urls?.filter((url) => parseUrl(url));
	const near = addresses && catalogue.byDomain(addresses, Infinity).map(({ tool }) => tool);
	const fits = (list: string[] | undefined, value: string): boolean =>
		list?.includes(value) ?? true;
	return found.filter(
		(tool) =>
			(near?.includes(tool) ?? true) &&
			fits(request.providers, tool.provider) &&
			fits(capabilities, tool.capability) &&
			fits(categories, providers[tool.provider].category) &&
			fits(groups, groupOf(tool)),
	);
}

function groupOf({ provider, capability }: Tool): string {
	const { groups } = providers[provider];
	const [name] = Object.keys(groups).filter((group) => groups[group].includes(capability));
	return `${provider}/${name}`;
}

function itemsOf(
	level: CataloguePage['level'],
	tools: readonly Tool[],
	{ expand = [] }: FindTools,
): CatalogueItem[] {
	if (level === 'tools') return tools.map((tool) => toolItem(tool, new Set(expand)));
	const idOf = {
		categories: ({ provider }: Tool) => providers[provider].category,
		providers: ({ provider }: Tool) => provider,
		groups: groupOf,
	}[level];
	const next = { categories: 'providers', providers: 'groups', groups: 'tools' } as const;
	return [...new Set(tools.map(idOf))].map((id) => {
		const within = tools.filter((tool) => idOf(tool) === id);
		const { provider } = within[0];
		return {
			id,
			name: level === 'providers' ? providers[provider].name : id.slice(id.indexOf('/') + 1),
			...(level === 'providers' && { category: providers[provider].category }),
			...(level === 'groups' && { provider }),
			tools: within.length,
			next: findTools({ [level]: [id], level: next[level] }),
		};
	});
}

/** A tool whose contract is not told in full says how to ask for it. */
function toolItem(tool: Tool, expand: ReadonlySet<string>): CatalogueItem {
	const { options, response, ...compact } = tool;
	const { provider, capability } = tool;
	const contract = findTools({
		providers: [provider],
		capabilities: [capability],
		level: 'tools',
		expand: ['options', 'response'],
	});
	return {
		...compact,
		execute: { provider, capability },
		...(expand.has('options') ? { options } : { next: contract }),
		...(expand.has('response') && { response }),
		...(expand.has('examples') && { examples: examplesOf(tool) }),
	};
}

function examplesOf({ provider, capability, options }: Tool): Record<string, string> {
	const values = options
		.filter(({ required }) => required)
		.map(({ name, type }) => [name, type === 'number' ? 1 : `<${name}>`]);
	const call = JSON.stringify({ provider, capability, options: Object.fromEntries(values) });
	return { javascript: `await client.scrape({ alexandria: ${call} });` };
}
