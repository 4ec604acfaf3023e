import { randomUUID } from 'node:crypto';

import type { ExchangeRequest } from '../schemas/agent.cjs';
import type { Tool, ToolCatalogue } from '../tools.cjs';
import { wordsOf } from '../search/textIndex.cjs';
import { fillFrom, type ToolData } from './answer.cjs';
import type { Task } from './job.cjs';
import type { ReadPage } from './research.cjs';
import type { Thread } from './threads.cjs';

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
	digest: string | null;
	url: string;
}

export interface ExchangeSummary {
	enabled: boolean;
	toolkits?: string[];
	requireApproval?: boolean;
	onTermsRequired: 'skip' | 'ask';
	paidCalls: number;
	creditsUsed: number;
	skippedProviders?: Array<Record<string, unknown>>;
	requiresAction?: Record<string, unknown>;
}

/** Data terms that providers ask for, and which teams accepted them. Only people accept. */
export class Terms {
	/** Version of the terms by provider. */
	readonly versions = new Map<string, string>();
	private readonly accepted = new Set<string>();

	constructor() {
		this.clear();
	}

	/** What a person does in the dashboard. */
	accept(teamId: string, provider: string): void {
		this.accepted.add(`${teamId} ${provider} ${this.versions.get(provider)}`);
	}

	gates(teamId: string, provider: string): boolean {
		const version = this.versions.get(provider);
		return version !== undefined && !this.accepted.has(`${teamId} ${provider} ${version}`);
	}

	clear(): void {
		this.accepted.clear();
		this.versions.clear();
		this.versions.set('filings', '2026-01');
	}
}

export interface ToolCall {
	tool: Tool;
	input: Record<string, unknown>;
	data: unknown;
	credits: number;
}

/** What becomes of a run's paid tools. */
export interface ExchangeDecision {
	calls: ToolCall[];
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
	terms: Terms,
	teamId: string,
	task: Task,
	thread: Thread,
	answered: PendingApproval | undefined,
	pages: readonly ReadPage[],
): ExchangeDecision | undefined {
	const { exchange } = task;
	if (!exchange) return undefined;
	const { enabled = true, toolkits, onTermsRequired = 'skip', maxCalls = 3 } = exchange;
	const helpful = enabled
		? toolsFor(catalogue, task, answered).filter(
				({ provider }) => (toolkits?.includes(provider) ?? true) && !thread.barred.has(provider),
			)
		: [];
	const gated = helpful.filter(({ provider }) => terms.gates(teamId, provider));
	const callable = helpful.filter((tool) => !gated.includes(tool)).slice(0, maxCalls);
	const asks =
		task.mode === 'chat' &&
		exchange.requireApproval === true &&
		!thread.alwaysApproved &&
		answered?.kind !== 'calls' &&
		callable.some(({ creditsCost }) => creditsCost > 0);
	const calls = asks ? [] : callable.map((tool) => call(tool, task, pages));
	const gates = gated.map((tool) => gate(tool, terms));
	const pending = pendingFor(onTermsRequired === 'ask' ? gates : [], asks ? callable : [], task);
	return {
		calls,
		pending,
		summary: {
			enabled,
			...(toolkits && { toolkits }),
			...(exchange.requireApproval !== undefined && { requireApproval: exchange.requireApproval }),
			onTermsRequired,
			paidCalls: calls.filter(({ credits }) => credits > 0).length,
			creditsUsed: calls.reduce((sum, { credits }) => sum + credits, 0),
			...(gates.length > 0 && { skippedProviders: gates.map(skipped) }),
			...(pending?.kind === 'terms' && { requiresAction: requiredAction(pending) }),
		},
	};
}

/** After an answer the tools that it was about, those declined left out; else what the task needs. */
function toolsFor(
	catalogue: ToolCatalogue,
	task: Task,
	answered: PendingApproval | undefined,
): Tool[] {
	if (!answered) return catalogue.byMeaning(task.prompt, 4);
	const { calls, terms = [], resolution } = answered;
	if (!resolution?.approved) return [];
	const approved = calls.filter(({ id }) => resolution.callIds.includes(id));
	return [...approved, ...terms].flatMap(({ provider, capability }) =>
		catalogue.tools.filter((tool) => tool.provider === provider && tool.capability === capability),
	);
}

function inputOf({ options }: Tool, task: Task): Record<string, unknown> {
	const words = wordsOf(task.prompt).slice(0, 6).join(' ');
	const required = options.filter((option) => option.required);
	return Object.fromEntries(
		required.map(({ name, type }) => [name, type === 'number' ? 10 : words]),
	);
}

/** The tool's answer is read from the pages, in the shape that its contract promises. */
function call(tool: Tool, task: Task, pages: readonly ReadPage[]): ToolCall {
	const { key, fields } = tool.response;
	const properties = Object.fromEntries(fields.map(({ name, type }) => [name, { type }]));
	const items = { type: 'object', properties };
	const shape = tool.perRecord ? { type: 'array', items } : items;
	const data = fillFrom({ type: 'object', properties: { [key]: shape } }, pages);
	return {
		tool,
		input: inputOf(tool, task),
		data,
		credits: tool.creditsCost * (tool.perRecord ? pages.length : 1),
	};
}

export function toolData({ tool: { provider, capability }, data }: ToolCall): ToolData {
	return { provider, capability, data };
}

function gate({ provider, name, capability, description }: Tool, terms: Terms): TermsGate {
	const version = terms.versions.get(provider) ?? '';
	const url = `https://dashboard.example/terms/${provider}?version=${version}`;
	return { provider, name, capability, adds: description, version, digest: null, url };
}

function skipped({ url, digest: _digest, ...gate }: TermsGate): Record<string, unknown> {
	return { ...gate, reason: 'terms_required', termsUrl: url };
}

function pendingFor(
	gates: TermsGate[],
	tools: readonly Tool[],
	task: Task,
): PendingApproval | undefined {
	const base = { id: randomUUID(), resolution: null };
	if (gates.length > 0) {
		const reason = 'A provider asks for its data terms to be accepted first.';
		return { ...base, kind: 'terms', reason, calls: [], terms: gates };
	}
	if (tools.length === 0) return undefined;
	const calls = tools.map((tool) => ({
		id: randomUUID(),
		provider: tool.provider,
		capability: tool.capability,
		input: inputOf(tool, task),
		creditsEstimate: tool.perRecord ? null : tool.creditsCost,
	}));
	return {
		...base,
		kind: 'calls',
		reason: 'These calls cost credits and need your approval.',
		calls,
	};
}

function requiredAction({ id, terms = [] }: PendingApproval): Record<string, unknown> {
	const call = (capability: string, options: Record<string, unknown>): Record<string, unknown> => ({
		provider: 'firecrawl',
		capability,
		options,
	});
	return {
		type: 'accept_terms',
		approvalId: id,
		providers: terms.map((each) => {
			const { provider, version, digest } = each;
			return {
				...each,
				show: call('terms/show', { provider }),
				accept: call('terms/accept', { provider, version, digest, confirmed: true }),
			};
		}),
	};
}
