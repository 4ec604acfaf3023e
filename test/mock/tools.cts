import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

import { requireFeatures } from './access.cjs';
import type { Context } from './context.cjs';
import { readData } from './data.cjs';
import { ApiError, forbidden } from './errors.cjs';
import type { Answer, ApiCall } from './pipeline.cjs';
import { filled, optional, parseBody, stamps, strict, whole } from './schemas/fields.cjs';
import { TextIndex } from './search/textIndex.cjs';

const toolCall = strict({
	provider: filled,
	capability: filled,
	version: z.string().optional(),
	options: z.record(z.string(), z.unknown()).optional(),
});
type ToolCall = z.output<typeof toolCall>;

/** Body of `POST /scrape` that runs tools: no address, no scrape option. */
const toolCallsRequest = optional({ timeout: whole(1, 50_000), ...stamps }).extend({
	alexandria: z.union([
		toolCall.transform((call) => [call]),
		z.array(toolCall).min(1).max(10, 'At most 10 calls'),
	]),
});

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

const toolCap = 24;

/** The tool catalogue: to find something in it, and to call what was found. */
export class ToolCatalogue {
	/** Versions of the data terms that a person has to accept first, by provider: nobody has. */
	readonly terms = new Map<string, string>();
	/** Providers that an administrator has switched off, for everybody: 403. */
	readonly disabled = new Set<string>();
	/** What the next calls of a tool come to, by its ID. */
	readonly trouble = new Map<string, ToolTrouble>();
	/** Answers by the `x-request-id` of their request, with its body. */
	private readonly runs = new Map<string, { payload: string; answer: Promise<Answer> }>();
	private readonly index = new TextIndex(
		tools,
		({ name, description, response }) => ({ name, about: `${description} ${response.about}` }),
		{ name: 3, about: 1 },
	);

	constructor() {
		this.clear();
	}

	/** The tools whose description matches the query best. */
	find(query: string, count: number): object[] {
		return this.index
			.search(query)
			.slice(0, Math.min(count, toolCap))
			.map(({ item }) => ({ id: idOf(item), ...item, matchedBy: ['semantic'] }));
	}

	/** The answer to a request, by `work` unless the team has had it; 409 for the ID of another. A refusal is not kept. */
	async once(
		teamId: string,
		requestId: string | undefined,
		body: unknown,
		work: () => Promise<Answer>,
	): Promise<Answer> {
		if (requestId === undefined) return await work();
		const id = `${teamId} ${requestId}`;
		const payload = JSON.stringify(body);
		const known = this.runs.get(id);
		if (known && known.payload !== payload) {
			const error = 'The x-request-id belongs to a different request.';
			throw new ApiError(409, { code: 'duplicate_request', error });
		}
		const answer = known?.answer ?? work();
		this.runs.set(id, { payload, answer });
		answer.catch(() => this.runs.delete(id));
		return await answer;
	}

	/** Throws what refuses a request as a whole: unknown and disabled providers, terms not accepted. */
	admit(calls: readonly ToolCall[]): void {
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
	execute(call: ToolCall) {
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
		const unknown = Object.keys(options).find(
			(name) => !tool.options.some((each) => each.name === name),
		);
		if (unknown !== undefined) {
			const message = `${unknown} is not an option of ${id}`;
			return failed({ code: 'invalid_options', message, status: 400 });
		}
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
		this.terms.set('filings', '2026-01');
		this.disabled.clear();
		this.trouble.clear();
		this.runs.clear();
	}
}

/** `POST /scrape` with `alexandria`. */
export async function runTools({ tools: catalogue }: Context, call: ApiCall): Promise<Answer> {
	const { alexandria: calls } = parseBody(toolCallsRequest, call.body);
	const requestId = call.headers['x-request-id']?.toString();
	requireFeatures(call.caller, { alexandria: true });
	return await catalogue.once(call.caller.team.id, requestId, call.body, async () => {
		catalogue.admit(calls);
		const executed = calls.map((each) => catalogue.execute(each));
		const price = executed.reduce((sum, { credits }) => sum + credits, 0);
		const id = randomUUID();
		call.charge(price, id);
		const results = executed.map(({ result }) => result);
		const costs = results.map((result) => ('error' in result ? 0 : result.creditsCost));
		const creditsCost = costs.reduce((sum, each) => sum + each, 0);
		return { body: { success: true, scrape_id: id, data: { alexandria: results, creditsCost } } };
	});
}
