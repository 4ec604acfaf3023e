import type { INode } from 'n8n-workflow';
import { pluralize } from '../../../runtime/values/text';
import { operationError } from '../../../runtime/api/errors';
import type { ReadContext } from '../../../runtime/operation/operation';
import { fixedPrice, openPrice, sumOf, type Price } from '../../../runtime/limits/price';
import type { ToolCall } from './call';
import { browse, catalogueIn, findTools, toolOf } from './catalogue';
import { fact, forCaller, forUser } from '../../../runtime/api/sentence';

/** The price of a tool in credits, per call or per record of the response. */
interface ToolPrice {
	creditsCost: number;
	perRecord: boolean;
}

/** The catalogue's own provider, whose calls are free (https://docs.firecrawl.dev). */
const catalogueProvider = 'firecrawl';

/** Most tools on a page of the catalogue. */
const pageSize = 100;

const nameOf = ({ provider, capability }: Pick<ToolCall, 'provider' | 'capability'>) =>
	`${provider}/${capability}`;

/** The fetched prices of a run of the node, which is identified by its node object. */
const fetchedPrices = new WeakMap<INode, Map<string, ToolPrice>>();

/** A call in the API's form. */
export const withoutPrice = ({ provider, capability, version, options }: ToolCall): ToolCall => ({
	provider,
	capability,
	version,
	options,
});

/** The price in a record, if any. */
function priceIn(record: { creditsCost?: unknown; perRecord?: unknown }): ToolPrice | undefined {
	const { creditsCost, perRecord } = record;
	return typeof creditsCost === 'number' && creditsCost >= 0
		? { creditsCost, perRecord: perRecord === true }
		: undefined;
}

/** The price of a call, if known without a request. */
function knownPrice(
	context: ToolCall,
	prices: ReadonlyMap<string, ToolPrice>,
): ToolPrice | undefined {
	if (context.provider === catalogueProvider) return { creditsCost: 0, perRecord: false };
	return priceIn(context) ?? prices.get(nameOf(context));
}

/** The price of a call: only the response shows the number of records. */
function priceOf(context: ToolCall, { creditsCost, perRecord }: ToolPrice): Price {
	if (!perRecord || creditsCost === 0) {
		return fixedPrice(
			creditsCost,
			`${nameOf(context)} ${pluralize(creditsCost, 'credit')} per call`,
		);
	}
	const each = `${nameOf(context)} ${pluralize(creditsCost, 'credit')} per record; the number of records is not known in advance`;
	return { ...openPrice(0, creditsCost, each), runsAlone: true };
}

/** Fetches the prices of tools from the catalogue, which is free. */
async function fetchPrices(
	calls: ToolCall[],
	prices: Map<string, ToolPrice>,
	context: ReadContext,
) {
	const providers = [...new Set(calls.map(({ provider }) => provider))];
	const capabilities = [...new Set(calls.map(({ capability }) => capability))];
	const query = { providers, capabilities, level: 'tools', limit: pageSize };
	const response = await context.send({ ...browse(findTools(query)), isPriceQuery: true });
	for (const entry of catalogueIn(response.body, context.errorSource).entries) {
		const tool = toolOf(entry);
		const price = priceIn(entry);
		if (tool && price) prices.set(nameOf(tool), price);
	}
}

/**
 * The maximum price of calls. If credits are limited or estimated, missing prices are fetched.
 * @throws NodeOperationError if a price is unknown and credits are limited
 */
export async function priceOfCalls(calls: ToolCall[], context: ReadContext): Promise<Price> {
	const { maxCreditsPerExecution, maxCreditsPerDay, estimateOnly } = context.settings;
	const isLimited = maxCreditsPerExecution !== undefined || maxCreditsPerDay !== undefined;
	if (!isLimited && !estimateOnly) return openPrice(0, 0);
	const limit =
		maxCreditsPerExecution === undefined ? "'Max Credits per Day'" : "'Max Credits per Execution'";
	const { node } = context.errorSource;
	const prices = fetchedPrices.get(node) ?? new Map<string, ToolPrice>();
	fetchedPrices.set(node, prices);
	const unknown = calls.filter((each) => knownPrice(each, prices) === undefined);
	if (unknown.length > 0) await fetchPrices(unknown, prices, context);
	const priceOfCall = (each: ToolCall): Price => {
		const known = knownPrice(each, prices);
		if (known) return priceOf(each, known);
		if (estimateOnly) return openPrice(0, 0, `The catalogue lists no price of ${nameOf(each)}`);
		throw operationError(
			`Not sent: the price of ${nameOf(each)} is unknown, and ${limit} is set`,
			[
				fact('Nothing was charged. The catalogue lists no price of it.'),
				forCaller(
					'Check provider and capability, or set creditsCost of the call in a list of calls.',
				),
				forUser(`Remove the option ${limit}.`),
			],
			context.errorSource,
		);
	};
	return sumOf(calls.map(priceOfCall));
}
