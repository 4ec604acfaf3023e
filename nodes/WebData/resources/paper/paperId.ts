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
				'Number from a search, or an ID that begins with pmid:, pmcid:, doi: or arxiv:, or an arXiv address',
		},
		pathId(500),
	),
);

export const paperPath = (id: string) => `/search/research/papers/${encodeURIComponent(id)}`;
