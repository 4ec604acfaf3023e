import { randomUUID } from 'node:crypto';

import { requireTools } from './access.cjs';
import { type Clock, withTimeout } from './clock.cjs';
import type { Context } from './context.cjs';
import { readData } from './data.cjs';
import { ApiError, forbidden, timedOut } from './errors.cjs';
import type { Answer, ApiCall } from './pipeline.cjs';
import { parseBody } from './schemas/fields.cjs';
import { type ToolCallRequest, toolCallsRequest } from './schemas/toolCalls.cjs';
import { TextIndex } from './search/textIndex.cjs';

/** A tool of the catalogue. */
interface Tool {
	provider: string;
	capability: string;
	name: string;
	description: string;
	creditsCost: number;
	perRecord: boolean;
	options: Array<{ name: string; type: string; required?: boolean }>;
	response: { about: string; key: string; fields: Array<{ name: string; type: string }> };
}

/** How calls of a tool fail, as its error says it; its price was captured before. */
interface ToolTrouble {
	code: string;
	message: string;
	status?: number;
}

const { providers, tools } = readData<{
	providers: Partial<Record<string, { name: string; domain: string }>>;
	tools: Tool[];
}>('data/tools.json');

const idOf = ({ provider, capability }: Pick<Tool, 'provider' | 'capability'>): string =>
	`${provider}/${capability}`;

const filingsTerms: [provider: string, version: string] = ['filings', '2026-01'];
const toolCap = 24;

/** The tool catalogue, the two ways to find something in it, and its calls. */
export class ToolCatalogue {
	/** Versions of the data terms that a person has to accept first, by provider: nobody has. */
	readonly terms = new Map([filingsTerms]);
	/** Providers that an administrator has switched off, for everybody: 403. */
	readonly disabled = new Set<string>();
	/** What the next calls of a tool come to, by its ID. */
	readonly trouble = new Map<string, ToolTrouble>();
	private readonly index = new TextIndex(
		tools,
		({ name, description, response }) => ({ name, about: `${description} ${response.about}` }),
		{ name: 3, about: 1 },
	);

	/** The tools whose description matches the query best, in the detail asked for. */
	find(query: string, count: number, detail: string): object[] {
		return this.index
			.search(query)
			.slice(0, Math.min(count, toolCap))
			.map(({ item }) => {
				const { options, response, ...summary } = item;
				const { provider, capability, description } = item;
				return {
					...(detail !== 'compact' && { id: idOf(item), ...summary }),
					...(detail === 'full' && { options, response }),
					...{ provider, capability, description, matchedBy: ['semantic'] },
				};
			});
	}

	/** Throws what refuses a request as a whole: unknown and disabled providers, terms not accepted. */
	admit(calls: readonly ToolCallRequest[]): void {
		for (const { provider } of calls) {
			const { name } = providers[provider] ?? {};
			if (name === undefined) {
				const error = `Unknown provider: ${provider}`;
				throw new ApiError(404, { code: 'unknown_provider', error });
			}
			if (this.disabled.has(provider)) {
				throw forbidden(`Access to ${name} is disabled for this organization.`);
			}
			const version = this.terms.get(provider);
			if (version === undefined) continue;
			const url = `https://dashboard.example/terms/${provider}?version=${version}`;
			throw new ApiError(403, {
				code: 'THIRD_PARTY_DATA_TERMS_REQUIRED',
				error: `The data terms of ${name} have to be accepted first.`,
				requiresAction: { type: 'accept_terms', terms: provider, version, url },
			});
		}
	}

	/** Runs a call: its result, and its price, which is taken for some failures too. */
	execute(call: ToolCallRequest) {
		const { provider, capability, options = {} } = call;
		const failed = (error: object, credits = 0) => ({
			result: { provider, capability, error },
			credits,
		});
		const id = idOf(call);
		const tool = tools.find((each) => idOf(each) === id);
		if (!tool) {
			const message = `${provider} has no ${capability}`;
			return failed({ code: 'unknown_capability', message, status: 404 });
		}
		const { creditsCost, perRecord, response } = tool;
		const fault = optionsFault(tool, options);
		if (fault) return failed({ code: 'invalid_options', message: fault, status: 400 });
		const trouble = this.trouble.get(id);
		if (trouble) return failed({ ...trouble, chargeId: randomUUID() }, creditsCost);
		const record = Object.fromEntries(
			response.fields.map((field) => [field.name, `The ${field.name} by ${tool.name}`]),
		);
		const data = { [response.key]: perRecord ? [record] : record };
		const result = { provider, capability, creditsCost, data, ...(perRecord && { records: 1 }) };
		return { result, credits: creditsCost };
	}

	/** Everything works, for everybody. */
	clear(): void {
		this.terms.clear();
		this.terms.set(...filingsTerms);
		this.disabled.clear();
		this.trouble.clear();
	}
}

function optionsFault(tool: Tool, options: Record<string, unknown>): string | undefined {
	const missing = tool.options.find(({ name, required }) => required && !(name in options));
	if (missing) return `${missing.name} is required`;
	for (const [name, value] of Object.entries(options)) {
		const known = tool.options.find((option) => option.name === name);
		if (!known) return `${name} is not an option of ${idOf(tool)}`;
		if (typeof value !== known.type) return `${name} must be a ${known.type}`;
	}
	return undefined;
}

/** `POST /scrape` with `alexandria`. Answers that are lost are replayed, those to refused requests are not kept. */
export function runTools(context: Context, call: ApiCall): Promise<Answer> {
	const { alexandria: calls, timeout } = parseBody(toolCallsRequest, call.body);
	const requestId = call.headers['x-request-id']?.toString();
	const { clock, tools: catalogue, toolRuns } = context;
	requireTools(call.caller, false);
	return toolRuns.once(call.caller.team.id, requestId, call.body, () => {
		catalogue.admit(calls);
		const left = timeout - (clock.now() - call.entry.at);
		return withTimeout(clock, left, timedOut, async (expired) => {
			await call.stall?.();
			const executed = calls.map((each) => catalogue.execute(each));
			expired.throwIfAborted();
			const price = executed.reduce((sum, { credits }) => sum + credits, 0);
			const id = randomUUID();
			call.charge(price, id);
			const results = executed.map(({ result }) => result);
			const costs = results.map((result) => ('error' in result ? 0 : result.creditsCost));
			const creditsCost = costs.reduce((sum, each) => sum + each, 0);
			return { body: { success: true, scrape_id: id, data: { alexandria: results, creditsCost } } };
		});
	});
}

const keptMs = 7 * 86_400_000;

/** Runs of tools by the `x-request-id` of their request: a repetition replays the answer for 7 days. */
export class ToolRuns {
	/** `payload`: the request's body, to tell a repetition from another request. */
	private readonly runs = new Map<string, { payload: string; answer?: Answer; at: number }>();

	constructor(private readonly clock: Clock) {}

	/** The answer of this request, by `work` unless the team has had it; 409 for another's ID or while it is under way. */
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
		if (known && this.clock.now() < known.at + keptMs) {
			if (known.payload !== payload) {
				const error = 'The x-request-id belongs to a different request.';
				throw new ApiError(409, { code: 'duplicate_request', error });
			}
			if (known.answer) return known.answer;
			const error = 'The request with this x-request-id is still under way.';
			throw new ApiError(409, { code: 'request_in_flight', error });
		}
		this.runs.set(id, { payload, at: this.clock.now() });
		try {
			const answer = await work();
			this.runs.set(id, { payload, answer, at: this.clock.now() });
			return answer;
		} catch (error) {
			this.runs.delete(id);
			throw error;
		}
	}

	clear(): void {
		this.runs.clear();
	}
}
