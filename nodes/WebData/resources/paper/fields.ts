import type { Endpoint } from '../../../runtime/api/endpoint';
import { field, integer, required } from '../../../runtime/form/field';
import { pathId } from '../../fields/ids';

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

/** The number of papers in a list, which has no pagination. */
export const numberOfPapers = integer({
	displayName: 'Number of Papers',
	min: 1,
	max: 500,
	default: 10,
	description: 'Number of papers to return, 1 to 500',
});
