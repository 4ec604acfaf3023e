import { randomUUID } from 'node:crypto';

import { balance, requireTools } from '../access.cjs';
import { withTimeout } from '../clock.cjs';
import type { Context } from '../context.cjs';
import { ApiError, badRequest, forbidden, timedOut } from '../errors.cjs';
import type { Answer, ApiCall } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import { requestIdPattern, type ToolCallRequest, toolCallsRequest } from '../schemas/toolCalls.cjs';
import { execute } from '../toolCalls/execute.cjs';
import { providers } from '../tools.cjs';

/** Whether a scrape's body asks for tools in place of a page. */
export function asksForTools(body: unknown): boolean {
	return typeof body === 'object' && body !== null && 'alexandria' in body;
}

/** `POST /scrape` with `alexandria`. Answers that are lost are replayed, those to refused requests are not kept. */
export function runTools(context: Context, call: ApiCall): Promise<Answer> {
	const { alexandria: calls, timeout } = parseBody(toolCallsRequest, call.body);
	const requestId = requestIdOf(call);
	const { team } = call.caller;
	requireTools(call.caller, false);
	return context.toolRuns.once(team.id, requestId, call.body, () => {
		admit(context, calls);
		const left = timeout - (context.clock.now() - call.entry.at);
		return withTimeout(context.clock, left, timedOut, async (expired) => {
			await call.stall?.();
			const executed = calls.map((each) => execute(context, each));
			expired.throwIfAborted();
			const price = executed.reduce((sum, { credits }) => sum + credits, 0);
			if (price > balance(context, call.caller)) {
				const error = 'Insufficient credits for these calls';
				throw new ApiError(402, { code: 'insufficient_credits', error });
			}
			const scrapeId = randomUUID();
			call.charge(price, scrapeId);
			const results = executed.map(({ result }) => result);
			const creditsCost = results.reduce(
				(sum, result) => sum + ('error' in result ? 0 : result.creditsCost),
				0,
			);
			const data = { alexandria: results, creditsCost };
			return { body: { success: true, scrape_id: scrapeId, data } };
		});
	});
}

function requestIdOf({ headers }: ApiCall): string | undefined {
	const id = headers['x-request-id'];
	if (id === undefined || requestIdPattern.test(String(id))) return id?.toString();
	throw badRequest([], 'Invalid x-request-id header.');
}

/** Throws what refuses the request as a whole: unknown and disabled providers, terms not accepted. */
function admit({ tools }: Context, calls: ToolCallRequest[]): void {
	for (const { provider } of calls) {
		if (!Object.hasOwn(providers, provider)) {
			throw new ApiError(404, { code: 'unknown_provider', error: `Unknown provider: ${provider}` });
		}
		const { name } = providers[provider];
		if (tools.disabled.has(provider)) {
			throw forbidden(`Access to ${name} is disabled for this organization.`);
		}
		if (tools.terms.has(provider)) {
			throw new ApiError(403, {
				code: 'THIRD_PARTY_DATA_TERMS_REQUIRED',
				error: `The data terms of ${name} have to be accepted first.`,
				requiresAction: {
					type: 'accept_terms',
					terms: provider,
					version: tools.terms.get(provider),
					url: tools.termsUrl(provider),
				},
			});
		}
	}
}
