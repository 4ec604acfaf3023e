import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Engine, EngineRun } from '../engine/harness.cjs';
import type { LogEntry } from '../mock-server/requestLog.cjs';
import type { Service } from '../mock-server/service.cjs';
import type { RandomRequest } from './randomRequests.cjs';
import type { Findings } from './findings.cjs';

/** What the node said of a request before, and what the service's ledger says after. */
export interface Charged {
	resource: string;
	least: number;
	most: number | null;
	pdfsCostMore: boolean;
	charge: number;
	/** Pages of PDFs that came out, beyond one each. */
	furtherPdfPages: number;
	failed: boolean;
	findings: Findings;
}

/** Moves time along while the work waits, where it is driven. */
type Drive = <Value>(work: Promise<Value>) => Promise<Value>;

const furtherPages = (items: INodeExecutionData[]): number =>
	items
		.map(({ json }) => Number((json.metadata as IDataObject | undefined)?.numPages ?? 1) - 1)
		.reduce((sum, each) => sum + each, 0);

/** Whether a request only asks what tools cost. */
const asksPrices = ({ body }: LogEntry) => (JSON.stringify(body) ?? '').includes('find-tools');

/**
 * Has a request estimated, and then sent, by an account of its own.
 * @returns undefined where the node refuses the request itself
 */
export async function chargeOf(
	{ engine, service }: { engine: Engine; service: Service },
	{ resource, operation, parameters }: RandomRequest,
	drive: Drive = async (work) => await work,
): Promise<Charged | undefined> {
	const id = randomUUID();
	const apiKey = `fc-${id.replaceAll('-', '')}`;
	service.teams.add({ id, credits: 1e6 }, apiKey);
	const requests = () =>
		service.log.entries.filter(({ key }) => key === apiKey && key !== undefined);
	const run = async (estimateOnly: boolean): Promise<EngineRun> =>
		await drive(
			engine.runNode({
				credentials: { webDataApi: { baseUrl: service.url, apiKey } },
				parameters: {
					resource,
					operation,
					...parameters,
					outputOptions: { simplify: false },
					limits: { estimateOnly },
				},
			}),
		);
	const estimated = await run(true);
	const sentBefore = requests();
	const spentBefore = service.ledger.spent(id);
	const done = await run(false);
	const charge = service.ledger.spent(id);
	const sent = requests().slice(sentBefore.length);
	if (estimated.error) {
		const isRefused = done.error?.message === estimated.error.message && sent.length === 0;
		if (isRefused && charge === 0) return undefined;
		throw new Error(`Only the estimate was refused: ${estimated.error.message}`);
	}
	const [{ json }] = estimated.output();
	const { requests: told, leastCredits, mostCredits } = json;
	const [first] = Array.isArray(told) ? (told as IDataObject[]) : [];
	const [out] = sent;
	const isSame =
		first.method === out?.method &&
		first.path === out?.path &&
		(out.body === undefined || isDeepStrictEqual(first.body, out.body));
	const charged = {
		resource,
		least: Number(leastCredits),
		most: mostCredits === null ? null : Number(mostCredits),
		pdfsCostMore: json.pdfsCostMore === true,
		charge,
		furtherPdfPages: done.error ? 0 : furtherPages(done.output()),
		failed: done.error !== undefined,
	};
	return {
		...charged,
		findings: [
			...(sentBefore.every(asksPrices) ? [] : ['an estimate sent more than a question for prices']),
			...(spentBefore === 0 ? [] : [`an estimate cost ${spentBefore} credits`]),
			...(isSame ? [] : [`told ${JSON.stringify(first)}, sent ${JSON.stringify(out?.body)}`]),
			...boundFindings(charged),
		],
	};
}

/** What is wrong with the bounds of a charge: one that fails may cost less than the least. */
function boundFindings(charged: Omit<Charged, 'findings'>): Findings {
	const { least, most, pdfsCostMore, charge, furtherPdfPages, failed } = charged;
	const bound = most === null ? Infinity : most + (pdfsCostMore ? furtherPdfPages : 0);
	return [
		...(charge > bound ? [`${charge} credits, and at most ${bound} were told`] : []),
		...(charge < least && !failed ? [`${charge} credits, and at least ${least} were told`] : []),
	];
}
