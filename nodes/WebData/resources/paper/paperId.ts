import type { INodeProperties } from 'n8n-workflow';
import { text } from '../../../runtime/contract';

/** The paper that an operation is about (sdk-facts 2: every form of id goes into the path as one segment). */
export const paperIdField: INodeProperties = {
	displayName: 'Paper ID',
	name: 'id',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. doi:10.1000/182, arxiv:2401.00001, pmid:31452104',
	description:
		'Number from a search, or an ID that begins with pmid:, pmcid:, doi: or arxiv:, or an arXiv address',
};

export const paperId = () => text({ max: 500, mend: (value) => value.trim() });

export const paperPath = (id: string) => `/search/research/papers/${encodeURIComponent(id)}`;
