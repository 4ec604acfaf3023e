import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

import { projectRoot } from '../root.cjs';
import { sentencesOf } from './search/highlight.cjs';
import { TextIndex, type Match } from './search/textIndex.cjs';

export const recordTypes = ['doc', 'issue', 'pull_request', 'readme'] as const;
export type RecordType = (typeof recordTypes)[number];

const repositorySchema = z
	.object({
		/** `owner/name`. */
		repo: z.string(),
		language: z.string(),
		/** SPDX id; null for a repository without licence. */
		license: z.string().nullable(),
		stars: z.number(),
		topics: z.array(z.string()),
		archived: z.boolean(),
		fork: z.boolean(),
	})
	.strict();
export type Repository = z.output<typeof repositorySchema>;

const recordSchema = z
	.object({
		/** `<type>:<owner/name>[#number]` or `doc:<source>/<path>`. */
		id: z.string(),
		type: z.enum(recordTypes),
		/** Of everything but `doc`. */
		repo: z.string().optional(),
		/** Of `doc`. */
		source: z.string().optional(),
		url: z.string(),
		title: z.string(),
		/** Last change, YYYY-MM-DD. */
		date: z.string(),
		/** Holds a packaged agent skill. */
		skill: z.boolean().optional(),
		passages: z.array(z.string()),
	})
	.strict();
export type DeveloperRecord = z.output<typeof recordSchema>;

const dataSchema = z
	.object({
		repositories: z.array(repositorySchema),
		records: z.array(recordSchema),
	})
	.strict();

/** What a search is narrowed to. Names compare in any case. */
export interface DeveloperFilter {
	types?: readonly RecordType[];
	repos?: readonly string[];
	sources?: readonly string[];
	language?: string;
	license?: string;
	topic?: readonly string[];
	min_stars?: number;
	max_stars?: number;
	archived?: boolean;
	fork?: boolean;
	skills?: 'only';
}

/** The developer index: own-made issues, pull requests, READMEs and documentation pages. */
export class DeveloperIndex {
	readonly repositories: readonly Repository[];
	readonly records: readonly DeveloperRecord[];
	/** Kinds that cannot be searched now; `degraded` ones answer without re-ranking. */
	readonly trouble = new Map<RecordType, 'degraded' | 'unavailable'>();
	private readonly index: TextIndex<DeveloperRecord>;

	constructor() {
		const path = join(projectRoot, 'test/mock-server/data/developer.json');
		const data = dataSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
		this.repositories = data.repositories;
		this.records = data.records;
		this.index = new TextIndex(
			this.records,
			({ title, passages, repo, source }) => ({
				title,
				text: passages.join(' '),
				name: `${repo ?? ''} ${source ?? ''}`,
			}),
			{ title: 3, text: 1, name: 1 },
		);
	}

	/** Matches of the types that can be searched, best first. */
	search(query: string, filter: DeveloperFilter): Array<Match<DeveloperRecord>> {
		return this.index
			.search(query)
			.filter(
				({ item }) => this.trouble.get(item.type) !== 'unavailable' && this.fits(item, filter),
			);
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
		const { repo: name, source } = record;
		if (source !== undefined) {
			// Alone, `repos` leaves documentation out; together with `sources` either may match.
			return filter.sources?.some((each) => same(each, source)) ?? true;
		}
		const repository = this.repository(name ?? '');
		if (!repository) return false;
		if (filter.sources && !narrowsRepositories(filter)) return false;
		return fitsRepository(repository, filter);
	}
}

/** Whether a filter is about repositories: it then removes documentation unless `sources` asks for some. */
function narrowsRepositories({
	repos,
	language,
	license,
	topic,
	...rest
}: DeveloperFilter): boolean {
	const { min_stars, max_stars, archived, fork } = rest;
	return [repos, language, license, topic, min_stars, max_stars, archived, fork].some(
		(each) => each !== undefined,
	);
}

function fitsRepository(repository: Repository, filter: DeveloperFilter): boolean {
	const { repo, language, license, topics, stars, archived, fork } = repository;
	return (
		(filter.repos?.some((each) => same(each, repo)) ?? true) &&
		(filter.language === undefined || same(filter.language, language)) &&
		(filter.license === undefined || same(filter.license, license ?? '')) &&
		(filter.topic?.every((each) => topics.some((topic) => same(each, topic))) ?? true) &&
		stars >= (filter.min_stars ?? 0) &&
		stars <= (filter.max_stars ?? Infinity) &&
		archived === (filter.archived ?? archived) &&
		fork === (filter.fork ?? fork)
	);
}

/** The record's passages that hold most of the words found, up to `count`. */
export function passagesOf({ item, words }: Match<DeveloperRecord>, count: number): string[] {
	const hits = (text: string): number =>
		sentencesOf(text).reduce(
			(sum, sentence) => sum + words.filter((word) => sentence.toLowerCase().includes(word)).length,
			0,
		);
	return [...item.passages].sort((a, b) => hits(b) - hits(a)).slice(0, count);
}

function same(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}
