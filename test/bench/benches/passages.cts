import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { tokensOf } from '../../../nodes/runtime/passages/tokens';
import { passageResults } from '../../../nodes/WebData/documents/passages';
import { createEngine, type Engine } from '../../engine/harness.cjs';
import { startService, type Service } from '../../mock-server/service.cjs';
import { countTo, type Bench } from '../bench.cjs';
import { packageOf } from '../contenders.cjs';
import { documentation } from '../documentation.cjs';
import { plantedFacts, type PlantedFact } from '../plantedFacts.cjs';
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

/** Ten pages of 100,000 characters of the documentation. */
function tenLongPages() {
	const all = documentation()
		.map(({ markdown }) => markdown)
		.join('\n\n');
	const text = all.repeat(Math.ceil(1_000_000 / all.length));
	return countTo(10).map((number) => ({
		title: `Part ${number}`,
		about: { title: `Part ${number}`, url: `${host}/${number}` },
		markdown: text.slice((number - 1) * 100_000, number * 100_000),
	}));
}

/** The CPU time in milliseconds in which the passages of ten long pages are chosen. */
function choosingTime(): number {
	const pages = tenLongPages();
	const [{ question }] = plantedFacts;
	const asked = `${question} How is a reply serialized by a schema?`;
	const before = process.cpuUsage();
	passageResults(pages, asked, 1_500);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
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
		countTo(20).forEach(choosingTime);
		const times = spreadOf(countTo(Math.max(5, repeats)).map(choosingTime));
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
			...missing.map((question) => `Not found: ${question}`),
		];
		return { figures, notes };
	},
};
