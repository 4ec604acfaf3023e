import type { INode } from 'n8n-workflow';
import type { Request } from '../../../runtime/client';
import { operationError } from '../../../runtime/errors';
import type { Call } from '../../../runtime/operation';
import type { ToolCall } from './call';
import { browse, catalogueIn, findTools, toolOf } from './catalogue';

/** What a tool costs, in credits: a call, or each record in its answer. */
interface ToolPrice {
	creditsCost: number;
	perRecord: boolean;
}

/** The provider of the catalogue itself, whose calls are free (https://docs.firecrawl.dev). */
const catalogueProvider = 'firecrawl';

/** Most tools on a page of the catalogue. */
const pageSize = 100;

const nameOf = ({ provider, capability }: Pick<ToolCall, 'provider' | 'capability'>) =>
	`${provider}/${capability}`;

/** The prices that a run of the node has looked up; the node stands for the run. */
const lookedUp = new WeakMap<INode, Map<string, ToolPrice>>();

/** A call as the API takes it. */
export const withoutPrice = ({ provider, capability, version, options }: ToolCall): ToolCall => ({
	provider,
	capability,
	version,
	options,
});

/** The price that a record names, if it names one. */
function priceIn(record: { creditsCost?: unknown; perRecord?: unknown }): ToolPrice | undefined {
	const { creditsCost, perRecord } = record;
	return typeof creditsCost === 'number' && creditsCost >= 0
		? { creditsCost, perRecord: perRecord === true }
		: undefined;
}

/** The price of a call, as far as it is known without asking. */
function knownPrice(call: ToolCall, prices: ReadonlyMap<string, ToolPrice>): ToolPrice | undefined {
	if (call.provider === catalogueProvider) return { creditsCost: 0, perRecord: false };
	return priceIn(call) ?? prices.get(nameOf(call));
}

/** Asks the catalogue what tools cost, which is free. */
async function lookUp(calls: ToolCall[], prices: Map<string, ToolPrice>, call: Call) {
	const providers = [...new Set(calls.map(({ provider }) => provider))];
	const capabilities = [...new Set(calls.map(({ capability }) => capability))];
	const query = { providers, capabilities, level: 'tools', limit: pageSize };
	const answer = await call.send(browse(findTools(query)));
	for (const entry of catalogueIn(answer.body, call.place).entries) {
		const tool = toolOf(entry);
		const price = priceIn(entry);
		if (tool && price) prices.set(nameOf(tool), price);
	}
}

/**
 * What calls may cost. Where the execution's credits are limited, a price that does not come along is
 * looked up. How many records an answer has is not known before, so that such a call may cost more.
 * @throws NodeOperationError when a price is not known
 */
export async function priceOfCalls(
	calls: ToolCall[],
	call: Call,
): Promise<Pick<Request, 'price' | 'mayCostMore'>> {
	if (call.settings.maxCreditsPerExecution === undefined) return { price: 0 };
	const { node } = call.place;
	const prices = lookedUp.get(node) ?? new Map<string, ToolPrice>();
	lookedUp.set(node, prices);
	const unknown = calls.filter((each) => knownPrice(each, prices) === undefined);
	if (unknown.length > 0) await lookUp(unknown, prices, call);
	const known = calls.map((each) => {
		const price = knownPrice(each, prices);
		if (price) return price;
		throw operationError(
			`Not sent: what ${nameOf(each)} costs is not known, and 'Max Credits per Execution' is set`,
			`Nothing was charged. The catalogue names no price of it: check provider and capability, give the call its creditsCost in a list of calls, or take the option out.`,
			call.place,
		);
	});
	return {
		price: known.reduce((sum, { creditsCost }) => sum + creditsCost, 0),
		mayCostMore: known.some(({ creditsCost, perRecord }) => perRecord && creditsCost > 0),
	};
}
