import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Engine } from '../engine/harness.cjs';
import type { Account } from '../engine/testBed.cjs';
import { Fixtures, validParameters } from '../engine/validParameters.cjs';
import type { LogEntry } from '../mock-server/requestLog.cjs';
import type { Service } from '../mock-server/service.cjs';
import { DirectRuns } from './directRuns.cjs';
import type { Findings } from './findings.cjs';
import type { Drawn } from './randomParameters.cjs';
import { freely, type RandomRequest } from './randomRequests.cjs';

/** What the node said of a request before, and what the service's ledger says after. */
export interface Charged {
	name: string;
	least: number;
	most: number | null;
	charge: number;
	failed: boolean;
	findings: Findings;
}

/** How time passes. */
export interface Passing {
	/** Moves it along while the work waits, where it is driven. */
	drive<Value>(work: Promise<Value>): Promise<Value>;
	/** Lets all that a team has started come to its end. */
	end(teamId: string): Promise<void>;
}

/** Whether a request only asks what tools cost. */
const asksPrices = ({ body }: LogEntry) => (JSON.stringify(body) ?? '').includes('find-tools');

/** A parameter without the expression that tells one item from another. */
function resolved(value: unknown): unknown {
	if (typeof value === 'string') return value.replace(/^=/, '').replaceAll('{{ $json.tag }}', 'a');
	if (Array.isArray(value)) return value.map(resolved);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [name, resolved(member)]),
	);
}

/** What was drawn, with the values that the operation needs for its work. */
async function parametersOf({ drawn, ...name }: RandomRequest, own: Fixtures): Promise<Drawn> {
	const sound = Object.entries(await validParameters(name, own));
	const needed = sound.filter(([field]) => !freely.has(field) || !(field in drawn));
	return {
		...drawn,
		...Object.fromEntries(needed.map(([field, value]) => [field, resolved(value)])),
	};
}

/** Headers by their names alone: an estimate hides their values. */
const withoutHeaders = (value: unknown): string =>
	JSON.stringify(value, (name, member: unknown) =>
		name === 'headers' ? Object.keys(Object(member)) : member,
	);

/** Whether a body has all that was told of it; one whose job is slept through names a webhook, too. */
const isWithin = (told: unknown, sent: unknown): boolean =>
	Object.entries(Object(told)).every(
		([name, value]) =>
			withoutHeaders({ [name]: value }) ===
			withoutHeaders({ [name]: Reflect.get(Object(sent), name) }),
	);

const errorOf = ([item]: INodeExecutionData[]): string | undefined => item?.error?.message;

/**
 * Has a request estimated, and then sent, by an account of its own.
 * @returns undefined where the node refuses the request itself
 */
export async function chargeOf(
	testBed: { engine: Engine; service: Service },
	request: RandomRequest,
	{ drive, end }: Passing,
): Promise<Charged | undefined> {
	const { service } = testBed;
	const { ledger, log, context } = service;
	const id = randomUUID();
	const key = `fc-${id.replaceAll('-', '')}`;
	const team = service.teams.add({ id, credits: 1e6 }, key);
	const account: Account = {
		team,
		key,
		credentials: { webDataApi: { baseUrl: service.url, apiKey: key } },
	};
	const parameters = await drive(parametersOf(request, new Fixtures(service, account)));
	const runs = new DirectRuns(testBed);
	const run = async (estimateOnly: boolean) => {
		const before = new Set(log.entries);
		const items = await drive(
			runs.run(request, { ...parameters, limits: { estimateOnly } }, { apiKey: key }),
		);
		const sent = log.entries.filter((entry) => entry.key === key && !before.has(entry));
		return { items, sent, ids: sent.map((entry) => entry.id) };
	};
	const estimated = await run(true);
	const done = await run(false);
	context.sessions
		.of(id)
		.filter(({ active }) => active)
		.forEach((each) => context.sessions.close(each));
	await end(id);
	const charge = ledger.chargedTo(done.ids);
	const refusal = errorOf(estimated.items);
	if (refusal !== undefined) {
		if (errorOf(done.items) === refusal && charge === 0) return undefined;
		throw new Error(`Only the estimate was refused: ${refusal}`);
	}
	const [{ json }] = estimated.items;
	const [told] = Array.isArray(json.requests) ? (json.requests as IDataObject[]) : [];
	const isTold = ({ method, path, body }: LogEntry) =>
		told.method === method &&
		told.path === path &&
		(body === undefined || request.resource === 'file' || isWithin(told.body, body));
	const reuses = JSON.stringify(parameters).includes('"reuseJob"');
	const visits = context.scraper.visits.filter(({ teamId }) => teamId === id);
	const unforeseen = visits
		.map(
			(visit) =>
				(json.pdfsCostMore ? visit.pdfCredits : 0) + (json.xPagesCostMore ? visit.xCredits : 0),
		)
		.reduce((sum, each) => sum + each, 0);
	const charged = {
		name: `${request.resource}: ${request.operation}`,
		least: Number(json.minCredits),
		most: json.maxCredits === null ? null : Number(json.maxCredits),
		charge,
		failed: errorOf(done.items) !== undefined,
	};
	const spentBefore = ledger.chargedTo(estimated.ids);
	return {
		...charged,
		findings: [
			...(estimated.sent.every(asksPrices)
				? []
				: ['an estimate sent more than a question for prices']),
			...(spentBefore === 0 ? [] : [`an estimate cost ${spentBefore} credits`]),
			...(reuses || done.sent.some(isTold)
				? []
				: [`told ${JSON.stringify(told)}, which was not sent`]),
			...boundFindings(charged, unforeseen),
		],
	};
}

/** What is wrong with the bounds of a charge: one that fails may cost less than the least. */
function boundFindings(charged: Omit<Charged, 'findings'>, unforeseen: number): Findings {
	const { name, least, most, charge, failed } = charged;
	const bound = most === null ? Infinity : most + unforeseen;
	return [
		...(charge > bound ? [`${name}: ${charge} credits, and at most ${bound} were told`] : []),
		...(charge < least && !failed
			? [`${name}: ${charge} credits, and at least ${least} were told`]
			: []),
	];
}
