import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

import { requireFeatures } from './access.cjs';
import type { Context } from './context.cjs';
import { readData } from './data.cjs';
import { ApiError } from './errors.cjs';
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

const tools = readData<Tool[]>('data/tools.json');

const idOf = ({ provider, capability }: Pick<Tool, 'provider' | 'capability'>): string =>
	`${provider}/${capability}`;

const toolCap = 24;

/** The tool catalogue: to find something in it, and to call what was found. */
export class ToolCatalogue {
	/** What the next calls of a tool come to, by its ID. */
	readonly trouble = new Map<string, ToolTrouble>();
	/** Answers by the `x-request-id` of their request, with its body. */
	private readonly runs = new Map<string, { payload: string; answer: Promise<Answer> }>();
	private readonly index = new TextIndex(
		tools,
		({ name, description, response }) => ({ name, about: `${description} ${response.about}` }),
		{ name: 3, about: 1 },
	);

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

	/** Everything works. */
	clear(): void {
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
