import type { INodeProperties } from 'n8n-workflow';
import { Refusal, shown, text } from '../../../runtime/contract';

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

/** Any form of ID, but not the path's own words for "here" and "above", which no encoding takes away. */
export const paperId = () =>
	text({
		max: 500,
		mend: (value) => {
			const id = value.trim();
			return /^\.+$/.test(id) ? new Refusal(`must be an ID, not ${shown(id)}`) : id;
		},
	});

export const paperPath = (id: string) => `/search/research/papers/${encodeURIComponent(id)}`;
