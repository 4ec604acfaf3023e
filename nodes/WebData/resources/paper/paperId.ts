import type { Endpoint } from '../../../runtime/api/endpoint';
import { field, required } from '../../../runtime/form/field';
import { pathId } from '../../fields/pathId';

/** The paper of an operation. Any form of ID is one segment of the path. */
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

/** The alternative on a server without an index of papers: only the hosted service has one. */
export const noPapers = {
	since: 'hosted',
	instead: `Use 'Query' of the search with the category Research.`,
} as const;

/**
 * Gets a paper, or its passages that fit a question
 * (https://docs.firecrawl.dev/api-reference/endpoint/research-paper).
 */
export const getPaper: Endpoint = {
	method: 'GET',
	path: '/search/research/papers/{id}',
	bucket: 'research',
	...noPapers,
};
