import type { Clock } from './clock.cjs';
import { readData } from './data.cjs';
import { ApiError } from './errors.cjs';
import type { Answer } from './pipeline.cjs';
import { isWithin } from './search/index.cjs';
import { TextIndex } from './search/textIndex.cjs';

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

export const toolCap = 24;

const catalogue = readData<{ providers: Record<string, Provider>; tools: Array<Omit<Tool, 'id'>> }>(
	'data/tools.json',
);

export const providers: Readonly<Record<string, Provider>> = catalogue.providers;

const filingsTerms: [provider: string, version: string] = ['filings', '2026-01'];

/** The tool catalogue and the two ways to find something in it. */
export class ToolCatalogue {
	readonly tools = catalogue.tools.map(
		(tool): Tool => ({ id: `${tool.provider}/${tool.capability}`, ...tool }),
	);
	/** Versions of the data terms that a person has to accept first, by provider: nobody has. */
	readonly terms = new Map([filingsTerms]);
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

	/** Where a person reads and accepts a provider's terms. */
	termsUrl(provider: string): string {
		return `https://dashboard.example/terms/${provider}?version=${this.terms.get(provider)}`;
	}

	/** Everything works, for everybody. */
	clear(): void {
		this.terms.clear();
		this.terms.set(...filingsTerms);
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

const keptMs = 7 * 86_400_000;

interface Run {
	/** The request's body, to tell a repetition from another request. */
	payload: string;
	ended?: { answer: Answer; at: number };
}

/** Runs of tools by the `x-request-id` of their request: a repetition replays the answer for 7 days. */
export class ToolRuns {
	private readonly runs = new Map<string, Run>();

	constructor(private readonly clock: Clock) {}

	/** The answer of this request, by `work` unless the team has had it; 409 for another's id or while it is under way. */
	async once(
		teamId: string,
		requestId: string | undefined,
		body: unknown,
		work: () => Promise<Answer>,
	): Promise<Answer> {
		if (requestId === undefined) return work();
		const id = `${teamId} ${requestId}`;
		const payload = JSON.stringify(body);
		const known = this.runs.get(id);
		if (known && !(known.ended && this.clock.now() >= known.ended.at + keptMs)) {
			return replay(known, payload);
		}
		const run: Run = { payload };
		this.runs.set(id, run);
		try {
			const answer = await work();
			run.ended = { answer, at: this.clock.now() };
			return answer;
		} catch (error) {
			if (this.runs.get(id) === run) this.runs.delete(id);
			throw error;
		}
	}

	clear(): void {
		this.runs.clear();
	}
}

function replay({ payload, ended }: Run, asked: string): Answer {
	if (payload !== asked) {
		const error = 'The x-request-id belongs to a different request.';
		throw new ApiError(409, { code: 'duplicate_request', error });
	}
	if (!ended) {
		const error = 'The request with this x-request-id is still under way.';
		throw new ApiError(409, { code: 'request_in_flight', error });
	}
	return ended.answer;
}
