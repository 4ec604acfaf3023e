import type { Endpoint } from '../../../runtime/api/endpoint';
import { boolean, list, oneOf, required, string } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { listResults } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { outputField } from '../../../runtime/form/resultSettings';
import { numberOfPapers, noPapers, paperId } from './fields';

const getSimilarPapers: Endpoint = {
	method: 'GET',
	path: '/search/research/papers/{id}/similar',
	bucket: 'research',
	...noPapers,
};

/** GET /search/research/papers/{id}/similar (https://docs.firecrawl.dev/api-reference/endpoint/research-related-papers). */
export const getSimilar = operation({
	name: 'Get Similar',
	value: 'getSimilar',
	action: 'Find related papers',
	description:
		'Returns papers related to a paper: similar papers, papers that cite it, or papers it cites. Free.',
	costs: 'free',
	request: form({
		id: paperId,
		intent: required(
			string({
				displayName: 'Intent',
				placeholder: 'e.g. newer methods for the same problem',
				description: 'What kind of related work to find',
			}),
		),
		k: numberOfPapers,
		...additionalFields({
			anchor: list({
				displayName: 'Anchors',
				entry: paperId.schema,
				max: 9,
				placeholder: 'e.g. arxiv:2401.00001, pmid:31452104',
				description:
					'Comma-separated IDs of additional papers that results must be related to, up to 9',
			}),
			mode: oneOf({
				displayName: 'Mode',
				default: 'similar',
				options: [
					{ name: 'Cited Papers', value: 'references' },
					{ name: 'Citing Papers', value: 'citers' },
					{ name: 'Similar Papers', value: 'similar' },
				],
				description: 'How results relate to the paper',
			}),
			rerank: boolean({
				displayName: 'Rerank',
				description: 'Whether a model ranks the results by the intent. Enabled by default.',
			}),
		}),
	}),
	settings: [outputField, ...settingsFields()],
	async run({ id, ...query }, context) {
		const { output } = context.settings;
		const response = await context.send({ endpoint: getSimilarPapers, ids: { id }, query });
		return await listResults(response.body, 'results', output, context.errorSource);
	},
});
