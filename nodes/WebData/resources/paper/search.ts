import type { Endpoint } from '../../../runtime/api/endpoint';
import { list } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { stringSchema } from '../../../runtime/form/schema';
import { readOnlyOperation } from '../../../runtime/operation/operation';
import { listResults } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { day } from '../../fields/day';
import { outputField } from '../../../runtime/form/resultSettings';
import { query } from '../../fields/query';
import { numberOfPapers, noPapers } from './fields';

const searchPapers: Endpoint = {
	method: 'GET',
	path: '/search/research/papers',
	bucket: 'research',
	...noPapers,
};

/** GET /search/research/papers (https://docs.firecrawl.dev/api-reference/endpoint/research-search-papers). */
export const search = readOnlyOperation({
	name: 'Search',
	value: 'search',
	action: 'Search scientific papers',
	description:
		'Searches an index of scientific papers, mostly biomedical and arXiv, and returns title, abstract and IDs of each. Free.',
	costs: 'free',
	request: form(
		{
			query: query({
				placeholder: 'e.g. effect of tidal barrages on sediment',
				description: 'Topic of the papers',
			}),
			k: numberOfPapers,
			...additionalFields({
				authors: list({
					displayName: 'Authors',
					entry: stringSchema(),
					placeholder: 'e.g. Curie, Meitner',
					description:
						'Comma-separated names; the paper must have all of them, partial names match',
				}),
				categories: list({
					displayName: 'Categories',
					entry: stringSchema(),
					placeholder: 'e.g. cs.CL, stat.ML',
					description: 'Comma-separated arXiv categories; the paper must have all of them',
				}),
				from: day({
					displayName: 'From',
					description: 'Earliest day on which the paper was created or updated',
				}),
				to: day({
					displayName: 'To',
					description: 'Latest day on which the paper was created or updated',
				}),
			}),
		},
		({ from, to }, reject) => {
			if (from !== undefined && to !== undefined && to < from)
				reject(`must not be before 'From'`, 'to');
		},
	),
	settings: [outputField, ...settingsFields()],
	async run(request, context) {
		const { output } = context.settings;
		const response = await context.send({ endpoint: searchPapers, query: request });
		return await listResults(response.body, 'results', output, context.errorSource);
	},
});
