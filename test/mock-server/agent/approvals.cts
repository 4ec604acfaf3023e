import { randomUUID } from 'node:crypto';

import type { ExchangeRequest } from '../schemas/agent.cjs';
import type { Tool, ToolCatalogue } from '../tools.cjs';
import type { Task } from './job.cjs';

/** A turn that waits for a person's yes or no: to paid calls, or to the data terms of a provider. */
export interface PendingApproval {
	id: string;
	kind: 'calls' | 'terms';
	reason: string;
	calls: Array<ReturnType<typeof paidCall>>;
	terms?: Array<ReturnType<typeof gate>>;
	resolution: null | { approved: boolean; callIds: string[]; always: boolean; byRunId: string };
}

/** What becomes of a run's paid tools. */
export interface ExchangeDecision {
	summary: { creditsUsed: number; [fact: string]: unknown };
	pending?: PendingApproval;
}

/** What a follow-up takes over from the turn before; answers to an approval are never inherited. */
export function inheritExchange(
	own: ExchangeRequest | undefined,
	earlier: ExchangeRequest | undefined,
): ExchangeRequest | undefined {
	if (!own && !earlier) return undefined;
	const { approve, decline, ...standing } = earlier ?? {};
	return { ...standing, ...own };
}

/** A run makes one paid call, the first that it may: none without accepted terms, none before an approval that is required. */
export function decideExchange(
	catalogue: ToolCatalogue,
	{ exchange, mode }: Task,
	answered: PendingApproval | undefined,
): ExchangeDecision | undefined {
	if (!exchange) return undefined;
	const { enabled = true, toolkits, requireApproval, onTermsRequired = 'skip' } = exchange;
	const isGated = ({ provider }: Tool) => catalogue.terms.has(provider);
	const tools = enabled ? catalogue.tools : [];
	const wanted = tools.filter(({ provider }) => toolkits?.includes(provider) ?? true);
	const gates = wanted
		.filter(isGated)
		.slice(0, 1)
		.map((tool) => gate(tool, catalogue));
	const paid = wanted.find((tool) => tool.creditsCost > 0 && !isGated(tool));
	const asks = mode === 'chat' && requireApproval === true && !answered;
	const called = asks || answered?.resolution?.approved === false ? undefined : paid;
	const open = { id: randomUUID(), resolution: null };
	let pending: PendingApproval | undefined;
	if (onTermsRequired === 'ask' && gates.length > 0) {
		const reason = 'A provider asks for its data terms to be accepted first.';
		pending = { ...open, kind: 'terms', reason, calls: [], terms: gates };
	} else if (asks && paid) {
		const reason = 'These calls cost credits and need your approval.';
		pending = { ...open, kind: 'calls', reason, calls: [paidCall(paid)] };
	}
	const { terms: providers, id: approvalId } = pending ?? {};
	return {
		pending,
		summary: {
			...{ enabled, toolkits, requireApproval, onTermsRequired },
			paidCalls: called ? 1 : 0,
			creditsUsed: called?.creditsCost ?? 0,
			...(gates.length > 0 && { skippedProviders: gates.map(skipped) }),
			...(providers && { requiresAction: { type: 'accept_terms', approvalId, providers } }),
		},
	};
}

/** A provider whose data terms have to be accepted first. */
function gate({ provider, name, capability, description: adds }: Tool, catalogue: ToolCatalogue) {
	const version = catalogue.terms.get(provider) ?? '';
	return {
		provider,
		name,
		capability,
		adds,
		version,
		digest: null,
		url: catalogue.termsUrl(provider),
	};
}

const skipped = ({ url: termsUrl, digest: _digest, ...each }: ReturnType<typeof gate>) => ({
	...each,
	reason: 'terms_required',
	termsUrl,
});

const paidCall = ({ provider, capability, perRecord, creditsCost }: Tool) => ({
	...{ id: randomUUID(), provider, capability, input: {} },
	creditsEstimate: perRecord ? null : creditsCost,
});
