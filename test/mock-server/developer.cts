import { readData } from './data.cjs';
import type { DeveloperRequest } from './schemas/papers.cjs';
import { TextIndex, type Match } from './search/textIndex.cjs';

export const recordTypes = ['doc', 'issue', 'pull_request', 'readme'] as const;
export type RecordType = (typeof recordTypes)[number];

export interface Repository {
	repo: string;
	language: string;
	/** SPDX id; null for a repository without licence. */
	license: string | null;
	stars: number;
	topics: string[];
	archived: boolean;
	fork: boolean;
}

export interface DeveloperRecord {
	/** `<type>:<owner/name>[#number]` or `doc:<source>/<path>`. */
	id: string;
	type: RecordType;
	repo?: string;
	source?: string;
	url: string;
	title: string;
	date: string;
	/** Holds a packaged agent skill. */
	skill?: boolean;
	passages: string[];
}

/** What a search is narrowed to. Names compare in any case. */
export type DeveloperFilter = Omit<DeveloperRequest, 'query' | 'k' | 'passages'>;

const data = readData<{ repositories: Repository[]; records: DeveloperRecord[] }>(
	'data/developer.json',
);

/** The developer index: own-made records of repositories and documentation that do not exist elsewhere. */
export class DeveloperIndex {
	readonly repositories = data.repositories;
	readonly records = data.records;
	private readonly index = new TextIndex<DeveloperRecord>(
		this.records,
		({ title, passages, repo = '', source = '' }) => ({
			title,
			text: passages.join(' '),
			name: `${repo} ${source}`,
		}),
		{ title: 3, text: 1, name: 1 },
	);

	/** Matches of the types that can be searched, best first. */
	search(query: string, filter: DeveloperFilter): Array<Match<DeveloperRecord>> {
		return this.index.search(query).filter(({ item }) => this.fits(item, filter));
	}

	repository(name: string): Repository | undefined {
		return this.repositories.find(({ repo }) => same(repo, name));
	}

	/** The types that a search with this filter looks at. */
	typesFor(filter: DeveloperFilter): RecordType[] {
		const asked = filter.types ?? recordTypes;
		const docs = !narrowsRepositories(filter) || filter.sources !== undefined;
		return asked.filter((type) => type !== 'doc' || docs);
	}

	private fits(record: DeveloperRecord, filter: DeveloperFilter): boolean {
		if (!this.typesFor(filter).includes(record.type)) return false;
		if (filter.skills && !record.skill) return false;
		const { repo: name = '', source } = record;
		// Alone, `repos` leaves documentation out; together with `sources` either may match.
		if (source !== undefined) return filter.sources?.some((each) => same(each, source)) ?? true;
		const repository = this.repository(name);
		if (!repository || (filter.sources && !narrowsRepositories(filter))) return false;
		return fitsRepository(repository, filter);
	}
}

/** Whether a filter is about repositories: it then removes documentation unless `sources` asks for some. */
function narrowsRepositories(filter: DeveloperFilter): boolean {
	const { types, sources, skills, origin, integration, ...others } = filter;
	return Object.values(others).some((each) => each !== undefined);
}

function fitsRepository({ repo, language, stars }: Repository, filter: DeveloperFilter): boolean {
	return (
		(filter.repos?.some((each) => same(each, repo)) ?? true) &&
		(filter.language === undefined || same(filter.language, language)) &&
		stars >= (filter.min_stars ?? 0) &&
		stars <= (filter.max_stars ?? Infinity)
	);
}

function same(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}
