import { randomUUID } from 'node:crypto';

import type { Context } from '../context.cjs';
import type { ToolCallRequest } from '../schemas/toolCalls.cjs';
import { providers, type Tool } from '../tools.cjs';

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

/** Runs one call of a tool, whose answer is pages of the small web. */
export function execute(context: Context, call: ToolCallRequest): Executed {
	const { provider, capability, options = {} } = call;
	const failed = (code: string, message: string, status: number): Executed => ({
		result: { provider, capability, error: { code, message, status } },
		credits: 0,
	});
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
