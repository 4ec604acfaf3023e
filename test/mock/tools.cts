import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

import type { Context } from './context.cjs';
import { readData } from './data.cjs';
import { ApiError, notFound } from './errors.cjs';
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

const tools = readData<Tool[]>('data/tools.json');

const idOf = ({ provider, capability }: Pick<Tool, 'provider' | 'capability'>): string =>
	`${provider}/${capability}`;

const toolCap = 24;

/** The tool catalogue: to find something in it, and to call what was found. */
export class ToolCatalogue {
	/** Answers by the `x-request-id` of their request, with its body. */
	private readonly runs = new Map<string, { payload: string; answer: Answer }>();
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
	once(teamId: string, requestId: string | undefined, body: unknown, work: () => Answer): Answer {
		if (requestId === undefined) return work();
		const id = `${teamId} ${requestId}`;
		const payload = JSON.stringify(body);
		const known = this.runs.get(id);
		if (known && known.payload !== payload) {
			const error = 'The x-request-id belongs to a different request.';
			throw new ApiError(409, { code: 'duplicate_request', error });
		}
		const answer = known?.answer ?? work();
		this.runs.set(id, { payload, answer });
		return answer;
	}

	/** The result of a call. How calls fail, tests say by faults. */
	execute(call: ToolCall) {
		const id = idOf(call);
		const tool = tools.find((each) => idOf(each) === id);
		if (!tool) throw notFound(`Unknown tool: ${id}`);
		const { provider, capability, creditsCost, perRecord, response } = tool;
		const record = Object.fromEntries(
			response.fields.map((field) => [field.name, `The ${field.name} by ${tool.name}`]),
		);
		const data = { [response.key]: perRecord ? [record] : record };
		return { provider, capability, creditsCost, data, ...(perRecord && { records: 1 }) };
	}

	clear(): void {
		this.runs.clear();
	}
}

/** `POST /scrape` with `alexandria`. */
export function runTools({ tools: catalogue }: Context, call: ApiCall): Answer {
	const { alexandria: calls } = parseBody(toolCallsRequest, call.body);
	const requestId = call.headers['x-request-id']?.toString();
	return catalogue.once(call.team.id, requestId, call.body, () => {
		const results = calls.map((each) => catalogue.execute(each));
		const creditsCost = results.reduce((sum, each) => sum + each.creditsCost, 0);
		const id = randomUUID();
		call.charge(creditsCost, id);
		const data = { alexandria: results, creditsCost };
		return { body: { success: true, scrape_id: id, data } };
	});
}
