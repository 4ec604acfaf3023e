import type { Endpoint } from '../../../runtime/api/endpoint';
import { field, required } from '../../../runtime/form/field';
import { pathId } from '../../fields/pathId';

/** The paper that an operation is about. Every form of ID goes into the path as one segment. */
export const paperId = required(
	field(
		{
			displayName: 'Paper ID',
			type: 'string',
			default: '',
			placeholder: 'e.g. doi:10.1000/182',
			description:
				'Number from a search, an ID with the prefix pmid:, pmcid:, doi: or arxiv:, or an arXiv URL',
		},
		pathId(500),
	),
);

/** What to use where a server has no index of papers: only the hosted service has one. */
export const noPapers = {
	since: 'hosted',
	instead: `Use 'Query' of the search with the category Research.`,
} as const;

/** One paper, or its passages that answer a question (https://docs.firecrawl.dev/api-reference/endpoint/research-paper). */
export const getPaper: Endpoint = {
	method: 'GET',
	path: '/search/research/papers/{id}',
	bucket: 'research',
	...noPapers,
};
