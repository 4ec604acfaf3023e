interface Citing {
	paperId: string;
	cites: readonly string[];
}

export type Relation = 'similar' | 'citers' | 'references';

/** How a paper hangs together with the seeds of a search. */
export interface Link {
	paperId: string;
	/** Direct citations, shared references and shared citers, over all seeds. */
	structural: number;
	/** Seeds that it is connected to. */
	seedOverlap: number;
	articleRank: number;
}

const damping = 0.85;
const rounds = 20;

/** Who cites whom in the index. */
export class CitationGraph {
	private readonly references = new Map<string, ReadonlySet<string>>();
	private readonly citers = new Map<string, Set<string>>();
	private readonly ranks: Map<string, number>;

	constructor(papers: readonly Citing[]) {
		for (const { paperId, cites } of papers) {
			this.references.set(paperId, new Set(cites));
			for (const cited of cites) this.citersOf(cited).add(paperId);
		}
		this.ranks = this.articleRanks(papers);
	}

	/** The papers in a relation to at least one seed, without the seeds, the closest first. */
	related(seeds: readonly string[], relation: Relation): Link[] {
		return [...this.references.keys()]
			.filter((paperId) => !seeds.includes(paperId))
			.map((paperId) => this.link(paperId, seeds, relation))
			.filter(({ structural }) => structural > 0)
			.sort((a, b) => b.structural - a.structural || b.articleRank - a.articleRank);
	}

	private link(paperId: string, seeds: readonly string[], relation: Relation): Link {
		const strengths = seeds.map((seed) => this.strength(paperId, seed, relation));
		return {
			paperId,
			structural: strengths.reduce((sum, each) => sum + each, 0),
			seedOverlap: strengths.filter((each) => each > 0).length,
			articleRank: this.ranks.get(paperId) ?? 0,
		};
	}

	private strength(paperId: string, seed: string, relation: Relation): number {
		const cites = this.referencesOf(paperId).has(seed);
		const cited = this.referencesOf(seed).has(paperId);
		if (relation === 'citers') return cites ? 1 : 0;
		if (relation === 'references') return cited ? 1 : 0;
		return (
			Number(cites) +
			Number(cited) +
			shared(this.referencesOf(paperId), this.referencesOf(seed)) +
			shared(this.citersOf(paperId), this.citersOf(seed))
		);
	}

	/** ArticleRank: a citation counts less when it comes from a paper with many references. */
	private articleRanks(papers: readonly Citing[]): Map<string, number> {
		const total = papers.reduce((sum, { cites }) => sum + cites.length, 0);
		const average = total / Math.max(1, papers.length);
		let ranks = new Map(papers.map(({ paperId }) => [paperId, 1 - damping]));
		for (let round = 0; round < rounds; round++) {
			const before = ranks;
			ranks = new Map(
				papers.map(({ paperId }) => {
					const received = [...this.citersOf(paperId)].reduce(
						(sum, citer) =>
							sum + (before.get(citer) ?? 0) / (this.referencesOf(citer).size + average),
						0,
					);
					return [paperId, 1 - damping + damping * received];
				}),
			);
		}
		return ranks;
	}

	private referencesOf(paperId: string): ReadonlySet<string> {
		return this.references.get(paperId) ?? new Set();
	}

	private citersOf(paperId: string): Set<string> {
		const known = this.citers.get(paperId) ?? new Set<string>();
		this.citers.set(paperId, known);
		return known;
	}
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	return [...a].filter((each) => b.has(each)).length;
}
