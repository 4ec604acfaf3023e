import { TextIndex } from './search/textIndex.cjs';

/** A paper of the research index. `ids` lists its identifiers by namespace. */
export interface Paper {
	paperId: string;
	primaryId: string;
	ids: Record<string, string[]>;
	title: string;
	abstract: string;
}

export type PaperRecord = Paper & { score: number };

/** The research index: own-made records of papers that do not exist elsewhere. */
export class Papers {
	private readonly index = new TextIndex<Paper>(
		papers,
		({ title, abstract }) => ({ title, abstract }),
		{ title: 3, abstract: 1 },
	);

	/** At most `count` records, best first; scores are not normalised. */
	search(text: string, count: number): PaperRecord[] {
		return this.index
			.search(text)
			.slice(0, count)
			.map(({ item, score }) => ({ ...item, score: Math.round(score * 1000) / 1000 }));
	}
}

const paper = (
	paperId: string,
	primaryId: string,
	ids: Paper['ids'],
	title: string,
	abstract: string,
): Paper => ({ paperId, primaryId, ids, title, abstract });

const papers: readonly Paper[] = [
	paper('910001', 'doi:10.5555/tide.2024.001', { doi: ['10.5555/tide.2024.001'], pmid: ['99100001'] },
		'Spring tides and sediment transport in narrow estuaries',
		'Tide gauges in six estuaries show that spring tides move four times the sediment of neap tides. A simple model of tidal current and channel depth explains most of the difference.'),
	paper('910002', 'arxiv:2403.90002', { arxiv: ['2403.90002'] },
		'Forecasting storm surge with graph networks of tide gauges',
		'A graph neural network over neighbouring tide gauges forecasts storm surge twelve hours ahead. Its error is a third below that of a regression on wind and air pressure.'),
	paper('910003', 'pmid:99100003', { pmid: ['99100003'], pmcid: ['PMC9910003'], doi: ['10.5555/med.2023.003'] },
		'Cold water swimming and sleep quality: a randomised trial',
		'Two hundred adults swam in cold sea water three times a week or walked instead. Swimmers fell asleep sooner; total sleep time did not differ.'),
	paper('910004', 'doi:10.5555/biorxiv.2025.004', { doi: ['10.5555/biorxiv.2025.004'] },
		'Kelp forests recover after sea urchin removal',
		'Kelp canopy returned within three years on reefs where sea urchins were removed by divers. Recovery was slower where water was warm.'),
	paper('910005', 'arxiv:2501.90005', { arxiv: ['2501.90005'], doi: ['10.5555/arxiv.2501.90005'] },
		'Retrieval for language models: when does a search step help?',
		'We measure when a language model gains from web search before it answers. Search helps with recent facts and rare names and can harm common knowledge.'),
	paper('910006', 'arxiv:2407.90006', { arxiv: ['2407.90006'] },
		'Extracting structured data from web pages with small models',
		'Small language models fill JSON schemas from web pages as well as large ones when the page is first reduced to its main content.'),
	paper('910007', 'pmid:99100007', { pmid: ['99100007'], doi: ['10.5555/med.2022.007'] },
		'Sourdough fermentation lowers the glycaemic response to bread',
		'Thirty volunteers ate sourdough or yeast bread in a crossover study. Long fermentation lowered the blood glucose peak by a fifth.'),
	paper('910008', 'doi:10.5555/medrxiv.2024.008', { doi: ['10.5555/medrxiv.2024.008'] },
		'Vaccination and school absence: a registry study',
		'A registry of forty thousand pupils shows fewer days of absence after influenza vaccination. The effect is largest in crowded schools.'),
	paper('910009', 'pmid:99100009', { pmid: ['99100009'] },
		'Gut microbes of night-shift workers follow the meal, not the clock',
		'The daily rhythm of gut bacteria in shift workers follows meal times. Regular meals restored it within ten days.'),
	paper('910010', 'arxiv:2309.90010', { arxiv: ['2309.90010'] },
		'Rate limits and fair queues in public web interfaces',
		'Token buckets treat bursty clients badly. We compare queueing rules for public web interfaces and find that a bounded queue with a named waiting time loses the fewest requests.'),
	paper('910011', 'doi:10.5555/biorxiv.2024.011', { doi: ['10.5555/biorxiv.2024.011'], pmid: ['99100011'] },
		'Migration timing of coastal birds tracks the tide',
		'Coastal waders leave their stopover within an hour after high tide. Satellite tags on ninety birds show that wind matters less than the tide.'),
	paper('910012', 'doi:10.5555/phys.2021.012', { doi: ['10.5555/phys.2021.012'] },
		'Solar panels on greenhouse roofs: yield and light',
		'Half-transparent solar panels on greenhouse roofs keep nine tenths of the tomato yield and cover the energy demand of the pumps.'),
	paper('910013', 'pmid:99100013', { pmid: ['99100013'], pmcid: ['PMC9910013'] },
		'Machine reading of retinal images in rural clinics',
		'A convolutional network graded retinal images in twelve rural clinics. It missed fewer cases of diabetic retinopathy than a remote reader, and asked for a repeat more often.'),
	paper('910014', 'arxiv:2411.90014', { arxiv: ['2411.90014'] },
		'Detecting prompt injection in scraped documents',
		'Scraped documents can carry instructions aimed at a language model. A classifier over sentences finds nine of ten such attacks at one false alarm in a thousand pages.'),
];
