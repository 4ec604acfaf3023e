import type { INodeProperties } from 'n8n-workflow';
import { pathId } from '../../fields/pathId';

/** The paper that an operation is about (sdk-facts 2: every form of id goes into the path as one segment). */
export const paperIdField: INodeProperties = {
	displayName: 'Paper ID',
	name: 'id',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. doi:10.1000/182',
	description:
		'Number from a search, or an ID that begins with pmid:, pmcid:, doi: or arxiv:, or an arXiv address',
};

/** Any form of ID. */
export const paperId = () => pathId(500);

export const paperPath = (id: string) => `/search/research/papers/${encodeURIComponent(id)}`;
