import { randomUUID } from 'node:crypto';

import type { ExchangeRequest } from '../schemas/agent.cjs';
import type { Tool, ToolCatalogue } from '../tools.cjs';
import type { Task } from './job.cjs';

/** A turn that waits for a person's yes or no. */
export interface PendingApproval {
	id: string;
	kind: 'calls' | 'terms';
	reason: string;
	calls: Array<{
		id: string;
		provider: string;
		capability: string;
		input: Record<string, unknown>;
		creditsEstimate: number | null;
	}>;
	terms?: TermsGate[];
	resolution: null | { approved: boolean; callIds: string[]; always: boolean; byRunId: string };
}

interface TermsGate {
	provider: string;
	name: string;
	capability: string;
	adds: string;
	version: string;
	digest: null;
	url: string;
}

export interface ExchangeSummary {
	enabled: boolean;
	toolkits?: string[];
	requireApproval?: boolean;
	onTermsRequired: 'skip' | 'ask';
	paidCalls: number;
	creditsUsed: number;
	skippedProviders?: object[];
	requiresAction?: object;
}

/** What becomes of a run's paid tools. */
export interface ExchangeDecision {
	calls: Tool[];
	summary: ExchangeSummary;
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

/**
 * Decides over the paid calls that would help with a task. Providers whose terms the team has not
 * accepted are never called; with `requireApproval` the turn ends before any paid call.
 */
export function decideExchange(
	catalogue: ToolCatalogue,
	teamId: string,
	{ exchange, mode, prompt }: Task,
	answered: PendingApproval | undefined,
): ExchangeDecision | undefined {
	if (!exchange) return undefined;
	const { enabled = true, toolkits, onTermsRequired = 'skip', maxCalls = 3 } = exchange;
	const asked = answered ? approvedTools(catalogue, answered) : catalogue.byMeaning(prompt, 4);
	const helpful = asked.filter(({ provider }) => enabled && (toolkits?.includes(provider) ?? true));
	const gated = helpful.filter(({ provider }) => catalogue.terms.gates(teamId, provider));
	const callable = helpful.filter((tool) => !gated.includes(tool)).slice(0, maxCalls);
	const asks =
		mode === 'chat' &&
		exchange.requireApproval === true &&
		answered?.kind !== 'calls' &&
		callable.some(({ creditsCost }) => creditsCost > 0);
	const calls = asks ? [] : callable;
	const gates = gated.map((tool) => gate(tool, catalogue));
	const pending = pendingFor(onTermsRequired === 'ask' ? gates : [], asks ? callable : []);
	return {
		calls,
		pending,
		summary: {
			enabled,
			...(toolkits && { toolkits }),
			...(exchange.requireApproval !== undefined && { requireApproval: exchange.requireApproval }),
			onTermsRequired,
			paidCalls: calls.filter(({ creditsCost }) => creditsCost > 0).length,
			creditsUsed: calls.reduce((sum, { creditsCost }) => sum + creditsCost, 0),
			...(gates.length > 0 && { skippedProviders: gates.map(skipped) }),
			...(pending?.kind === 'terms' && { requiresAction: requiredAction(pending) }),
		},
	};
}

/** The tools that an answered approval was about, those declined left out. */
function approvedTools(
	{ tools }: ToolCatalogue,
	{ calls, terms = [], resolution }: PendingApproval,
): Tool[] {
	if (!resolution?.approved) return [];
	const approved = calls.filter(({ id }) => resolution.callIds.includes(id));
	const ids = [...approved, ...terms].map(
		({ provider, capability }) => `${provider}/${capability}`,
	);
	return tools.filter(({ id }) => ids.includes(id));
}

function gate(
	{ provider, name, capability, description }: Tool,
	{ terms }: ToolCatalogue,
): TermsGate {
	const version = terms.versions.get(provider) ?? '';
	const url = terms.url(provider);
	return { provider, name, capability, adds: description, version, digest: null, url };
}

function skipped({ url, digest: _digest, ...each }: TermsGate): object {
	return { ...each, reason: 'terms_required', termsUrl: url };
}

function pendingFor(gates: TermsGate[], tools: readonly Tool[]): PendingApproval | undefined {
	const base = { id: randomUUID(), resolution: null };
	if (gates.length > 0) {
		const reason = 'A provider asks for its data terms to be accepted first.';
		return { ...base, kind: 'terms', reason, calls: [], terms: gates };
	}
	if (tools.length === 0) return undefined;
	const calls = tools.map(({ provider, capability, perRecord, creditsCost }) => ({
		id: randomUUID(),
		provider,
		capability,
		input: {},
		creditsEstimate: perRecord ? null : creditsCost,
	}));
	const reason = 'These calls cost credits and need your approval.';
	return { ...base, kind: 'calls', reason, calls };
}

function requiredAction({ id, terms = [] }: PendingApproval): object {
	return { type: 'accept_terms', approvalId: id, providers: terms };
}
