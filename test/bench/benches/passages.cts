import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { tokensOf } from '../../../nodes/runtime/text/tokens';
import { createEngine, type Engine } from '../../engine/harness.cjs';
import { startService, type Service } from '../../mock-server/service.cjs';
import type { Bench } from '../bench.cjs';
import { packageOf } from '../contenders.cjs';
import { documentation } from '../documentation.cjs';
import { plantedFacts, type PlantedFact } from '../plantedFacts.cjs';
import type { PassagesOrder } from '../passagesProcess.cjs';
import { Remote } from '../remote.cjs';
import { spreadOf } from '../statistics.cjs';

/** Results of each search, all of which are read. */
const limit = 10;

const host = 'https://docs.relayworks.example/library';

/** A text with a fact between two of its paragraphs, anywhere but in code. */
function planted(markdown: string, { text }: PlantedFact, at: number): string {
	const parts = markdown.split('\n\n');
	const isInCode = (place: number) =>
		(
			parts
				.slice(0, place)
				.join('\n\n')
				.match(/^ *(?:```|~~~)/gm) ?? []
		).length %
			2 ===
		1;
	const places = parts.flatMap((_, place) => (place > 0 && !isInCode(place) ? [place] : []));
	const place = places[Math.floor(at * places.length)];
	return [...parts.slice(0, place), text, ...parts.slice(place)].join('\n\n');
}

/** Where the fact of a number stands in its page, as a share of it: all over the page, the same in every run. */
const depthOf = (index: number): number => (index * 0.618034) % 1;

const halfOf = (count: number) => plantedFacts.slice(count, count + plantedFacts.length / 2);
const ofSite = halfOf(0);
const ofDocumentation = halfOf(plantedFacts.length / 2);

/** Puts half of the facts into pages of the small web, and half into those of a documentation that is added to it. */
function plant({ site }: Service): void {
	const pages = site.pages.filter(({ kind, explicit }) => kind === 'page' && !explicit);
	const every = Math.floor(pages.length / ofSite.length);
	ofSite.forEach((fact, index) => {
		const { url, markdown } = pages[index * every];
		site.update(url, { markdown: planted(markdown, fact, depthOf(index)) });
	});
	const documents = documentation();
	const each = Math.floor(documents.length / ofDocumentation.length);
	documents.forEach(({ name, markdown }, index) => {
		const fact = index % each === 0 ? ofDocumentation.at(index / each) : undefined;
		site.add({
			url: `${host}/${name}`,
			title: `Fastify: ${name}`,
			description: `Documentation of fastify about ${name}`,
			published: '2026-11-01',
			markdown: fact ? planted(markdown, fact, depthOf(index)) : markdown,
		});
	});
}

/** What a search brought: whether the answer is there, and the tokens of all items. */
interface Found {
	isThere: boolean;
	tokens: number;
}

type Search = (question: string) => Promise<IDataObject[]>;

async function ask(facts: PlantedFact[], search: Search): Promise<Found[]> {
	const found: Found[] = [];
	for (const { question, answer } of facts) {
		const json = JSON.stringify(await search(question));
		// The service's Markdown marks what might be notation.
		const text = json.replaceAll(/\\+(?=[^n"])/g, '');
		found.push({ isThere: text.includes(answer), tokens: tokensOf(json) });
	}
	return found;
}

/** Asks all questions of a collection, with a node of the engine. */
async function askBy(
	engine: Engine,
	credentials: Record<string, IDataObject>,
	parametersOf: (question: string) => INodeParameters,
	type?: string,
) {
	const search: Search = async (question) => {
		const run = await engine.runNode({
			credentials: JSON.parse(JSON.stringify(credentials)),
			parameters: parametersOf(question),
			...(type !== undefined && { node: { type } }),
		});
		if (run.error) throw run.error;
		return run.output().map(({ json }) => json);
	};
	return { site: await ask(ofSite, search), documents: await ask(ofDocumentation, search) };
}

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);
const tokensIn = (found: Found[]) => sum(found.map(({ tokens }) => tokens)) / found.length;
const percentThere = (found: Found[]) =>
	(100 * found.filter(({ isThere }) => isThere).length) / found.length;

/** The CPU times in milliseconds in which the passages of ten long pages are chosen, in a process without the service and n8n. */
async function choosingTimes(times: number): Promise<number[]> {
	const process = new Remote<PassagesOrder, number[]>('passagesProcess.cjs');
	const [{ question }] = plantedFacts;
	return await process
		.ask({
			question: `${question} How is a reply serialized by a schema?`,
			maxTokens: 1_500,
			before: 20,
			times,
		})
		.finally(async () => await process.end());
}

/** How often passages hold the answer, how many tokens they take, and what choosing them costs. */
export const passages: Bench = {
	name: 'passages',
	about: `${plantedFacts.length} planted facts asked for over the small web and the documentation of fastify, ${limit} pages read each`,
	async run(repeats) {
		const service = await startService();
		plant(service);
		const key = service.keys.full;
		let engine = await createEngine(packageOf('peer'));
		const peer = await askBy(
			engine,
			{ firecrawlApi: { baseUrl: `${service.url}/v2`, apiKey: key } },
			(query) => ({
				resource: 'MapSearch',
				operation: 'search',
				query,
				useCustomBody: true,
				additionalFields: {
					customProperties: JSON.stringify({ limit, scrapeOptions: { formats: ['markdown'] } }),
				},
			}),
			'@mendable/n8n-nodes-firecrawl.firecrawl',
		).finally(() => engine.close());
		engine = await createEngine();
		const ours = await askBy(
			engine,
			{ webDataApi: { baseUrl: service.url, apiKey: key } },
			(query) => ({ resource: 'search', operation: 'passages', query, limit }),
		).finally(() => engine.close());
		await service.close();
		const all = {
			ours: [...ours.site, ...ours.documents],
			peer: [...peer.site, ...peer.documents],
		};
		const times = spreadOf(await choosingTimes(Math.max(20, repeats)));
		const there = percentThere(all.ours);
		const share = tokensIn(all.ours) / tokensIn(all.peer);
		const figures = [
			{
				name: 'The planted fact is in the result (%)',
				digits: 1,
				of: { ours: there, peer: percentThere(all.peer) },
				goals: [{ words: '≥ 95', value: -there, most: -95 }],
			},
			{
				name: 'Tokens of a result, small web',
				of: { ours: tokensIn(ours.site), peer: tokensIn(peer.site) },
			},
			{
				name: 'Tokens of a result, documentation',
				of: { ours: tokensIn(ours.documents), peer: tokensIn(peer.documents) },
			},
			{
				name: 'Tokens of all results × the official pack',
				digits: 3,
				of: { ours: share },
				goals: [{ words: '≤ 0.1', value: share, most: 0.1 }],
			},
			{
				name: 'CPU to choose among ten pages of 100 kB (ms)',
				digits: 1,
				of: { ours: times },
				goals: [{ words: '≤ 20', value: times.median, most: 20 }],
			},
		];
		const missing = [...ours.site, ...ours.documents].flatMap(({ isThere }, index) =>
			isThere ? [] : [plantedFacts[index].question],
		);
		const notes = [
			'A token is counted for 4 characters of ASCII, or 1 or 2 of other scripts, over the items as JSON.',
			'The CPU is that of a process that only chooses passages, after 20 choices of the same pages.',
			...missing.map((question) => `Not found: ${question}`),
		];
		return { figures, notes };
	},
};
