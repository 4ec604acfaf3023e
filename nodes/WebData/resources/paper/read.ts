import { integer, required, string } from '../../../runtime/form/field';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { listResults } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { outputField } from '../../../runtime/form/resultSettings';
import { getPaper, paperId } from './fields';

/** GET /search/research/papers/{id} with a question (https://docs.firecrawl.dev/api-reference/endpoint/research-paper). The question is required: `k` alone is a 400. */
export const read = operation({
	name: 'Read',
	value: 'read',
	action: 'Find passages in a paper',
	description:
		'Returns the passages of a paper that answer a question, best first. If there are none, its full text is not indexed. Free.',
	costs: 'free',
	request: form({
		id: paperId,
		query: required(
			string({
				displayName: 'Question',
				placeholder: 'e.g. How large was the sample?',
				description: 'Question that the passages must answer',
			}),
		),
		k: integer({
			displayName: 'Number of Passages',
			min: 1,
			max: 50,
			default: 4,
			description: 'Number of passages to return, 1 to 50',
		}),
	}),
	settings: [outputField, ...settingsFields()],
	async run({ id, ...query }, context) {
		const { output } = context.settings;
		const response = await context.send({ endpoint: getPaper, ids: { id }, query });
		return await listResults(response.body, 'passages', output, context.errorSource);
	},
});
