import { randomUUID } from 'node:crypto';

import type { Context } from '../context.cjs';
import { parseUrl } from '../schemas/fields.cjs';
import { type FindTools, findToolsOptions, type ToolCallRequest } from '../schemas/toolCalls.cjs';
import { providers, type Tool, type ToolCatalogue } from '../tools.cjs';

/** What became of one call; a failure inside a successful answer is its `error`. */
export type CallResult = Pick<Tool, 'provider' | 'capability'> &
	(
		| { creditsCost: number; data: unknown; records?: number }
		| { error: { code: string; message: string; status?: number; chargeId?: string } }
	);

/** A call's result and its price, which is taken for some failures too. */
export interface Executed {
	result: CallResult;
	credits: number;
}

const defaultRecords = 5;

/** Runs one call: of the catalogue itself, or of a tool whose answer is pages of the small web. */
export function execute(context: Context, call: ToolCallRequest): Executed {
	const { provider, capability, options = {} } = call;
	const failed = (code: string, message: string, status: number): Executed => ({
		result: { provider, capability, error: { code, message, status } },
		credits: 0,
	});
	if (provider === 'firecrawl' && capability === 'find-tools') {
		const request = findToolsOptions.safeParse(options);
		if (!request.success) {
			const [{ path, message }] = request.error.issues;
			return failed('invalid_options', `${path.join('.') || 'options'}: ${message}`, 400);
		}
		const data = browse(context.tools, request.data);
		return { result: { provider, capability, creditsCost: 0, data }, credits: 0 };
	}
	const tool = context.tools.tools.find((each) => each.id === `${provider}/${capability}`);
	if (!tool) return failed('unknown_capability', `${provider} has no ${capability}`, 404);
	const fault = optionsFault(tool, options);
	if (fault) return failed('invalid_options', fault, 400);
	const trouble = context.tools.trouble.get(tool.id);
	if (trouble) {
		const { charged = false, ...error } = trouble;
		const chargeId = charged ? { chargeId: randomUUID() } : {};
		return {
			result: { provider, capability, error: { ...error, ...chargeId } },
			credits: charged ? tool.creditsCost : 0,
		};
	}
	return answer(context, tool, options);
}

function optionsFault(tool: Tool, options: Record<string, unknown>): string | undefined {
	for (const { name, required } of tool.options) {
		if (required && options[name] === undefined) return `${name} is required`;
	}
	for (const [name, value] of Object.entries(options)) {
		const known = tool.options.find((option) => option.name === name);
		if (!known) return `${name} is not an option of ${tool.id}`;
		if (typeof value !== known.type) return `${name} must be a ${known.type}`;
	}
	return undefined;
}

/** One record for every page that has to do with the options, or the best page's facts. */
function answer({ search }: Context, tool: Tool, options: Record<string, unknown>): Executed {
	const { provider, capability, creditsCost: price, perRecord, response } = tool;
	const limit = typeof options.limit === 'number' ? options.limit : defaultRecords;
	const terms = Object.values(options)
		.filter((value) => typeof value === 'string' && !/^\d{4}-\d{2}-\d{2}$/.test(value))
		.join(' ');
	const pages = search
		.findPages(terms, { includeDomains: [providers[provider].domain] })
		.slice(0, perRecord ? limit : 1);
	const records = pages.map(({ item: { url, title, description } }) => {
		const facts: Record<string, string> = { url, title, name: title };
		return Object.fromEntries(
			response.fields.map(({ name }) => [name, facts[name] ?? description]),
		);
	});
	const credits = perRecord ? price * records.length : price;
	const result: CallResult = {
		provider,
		capability,
		creditsCost: credits,
		data: { [response.key]: perRecord ? records : (records[0] ?? null) },
		...(perRecord && { records: records.length }),
	};
	return { result, credits };
}

/** One thing on a page of the catalogue: something to look into, or a tool to execute. */
interface CatalogueItem {
	id: string;
	name: string;
	next?: ToolCallRequest;
	execute?: Pick<Tool, 'provider' | 'capability'>;
	[fact: string]: unknown;
}

/** Browses the catalogue for nothing: by default its providers, or the tools that the request describes. */
function browse(catalogue: ToolCatalogue, request: FindTools) {
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
	level: NonNullable<FindTools['level']>,
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
	};
}
