import { readData } from './data.cjs';
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
	/** Its price was captured before. */
	charged?: boolean;
}

export type DiscoveredTool = Partial<Tool> &
	Pick<Tool, 'provider' | 'capability' | 'description'> & {
		matchedBy: Array<'semantic' | 'domain'>;
		matchedUrls?: string[];
	};

/** The most tools that one discovery source returns. */
export const toolCap = 24;

const catalogue = readData<{ providers: Record<string, Provider>; tools: Array<Omit<Tool, 'id'>> }>(
	'tools.json',
);

/** Who offers tools, by their ids. */
export const providers: Readonly<Record<string, Provider>> = catalogue.providers;

/** Data terms that providers ask for, and which teams accepted them. Only people accept. */
class Terms {
	/** Version of the terms by provider. */
	readonly versions = new Map<string, string>();
	private readonly accepted = new Set<string>();

	constructor() {
		this.clear();
	}

	/** What a person does in the dashboard. */
	accept(teamId: string, provider: string): void {
		this.accepted.add(`${teamId} ${provider} ${this.versions.get(provider)}`);
	}

	gates(teamId: string, provider: string): boolean {
		const version = this.versions.get(provider);
		return version !== undefined && !this.accepted.has(`${teamId} ${provider} ${version}`);
	}

	/** Where a person reads and accepts them. */
	url(provider: string): string {
		return `https://dashboard.example/terms/${provider}?version=${this.versions.get(provider)}`;
	}

	clear(): void {
		this.accepted.clear();
		this.versions.clear();
		this.versions.set('filings', '2026-01');
	}
}

/** The tool catalogue and the two ways to find something in it. */
export class ToolCatalogue {
	readonly tools = catalogue.tools.map(
		(tool): Tool => ({ id: `${tool.provider}/${tool.capability}`, ...tool }),
	);
	readonly terms = new Terms();
	/** Providers that an administrator has switched off, for everybody: 403. */
	readonly disabled = new Set<string>();
	/** What the next calls of a tool come to, by its id. */
	readonly trouble = new Map<string, ToolTrouble>();
	private readonly index = new TextIndex<Tool>(
		this.tools,
		({ id, name, description, response }) => ({
			name,
			about: `${description} ${response.about}`,
			id,
		}),
		{ name: 3, about: 1, id: 1 },
	);

	/** Tools whose description matches the query, at most `count` and 24. */
	byMeaning(query: string, count: number): Tool[] {
		const found = this.index.search(query).map(({ item }) => item);
		return found.slice(0, Math.min(count, toolCap));
	}

	/** Tools whose provider serves the domain of one of the addresses, with these addresses. */
	byDomain(urls: readonly string[], count: number): Array<{ tool: Tool; urls: string[] }> {
		const serves = ({ provider }: Tool, url: string): boolean =>
			isWithin(new URL(url).hostname, providers[provider].domain);
		return this.tools
			.map((tool) => ({ tool, urls: urls.filter((url) => serves(tool, url)) }))
			.filter((match) => match.urls.length > 0)
			.slice(0, Math.min(count, toolCap));
	}

	/** Everything works, for everybody. */
	clear(): void {
		this.terms.clear();
		this.disabled.clear();
		this.trouble.clear();
	}
}

/** Merges the finds of both sources, each tool once, cut to the detail asked for. */
export function discovered(
	semantic: readonly Tool[],
	byDomain: ReadonlyArray<{ tool: Tool; urls: string[] }>,
	detail: ToolDetail,
): DiscoveredTool[] {
	const tools = new Set([...semantic, ...byDomain.map(({ tool }) => tool)]);
	return [...tools].map((tool) => {
		const matchedUrls = byDomain.find((each) => each.tool === tool)?.urls;
		return {
			...contract(tool, detail),
			matchedBy: [
				...(semantic.includes(tool) ? (['semantic'] as const) : []),
				...(matchedUrls ? (['domain'] as const) : []),
			],
			...(matchedUrls && { matchedUrls }),
		};
	});
}

function contract(
	tool: Tool,
	detail: ToolDetail,
): Partial<Tool> & Pick<Tool, 'provider' | 'capability' | 'description'> {
	const { options, response, ...summary } = tool;
	if (detail === 'full') return tool;
	if (detail === 'summary') return summary;
	const { provider, capability, description } = tool;
	return { provider, capability, description };
}
