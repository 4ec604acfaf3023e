import { choice, fields, flag, list, membersOf, text } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { listResults } from '../../../runtime/results';
import { resultsPrice } from '../../fields/prices';
import { settingsFields } from '../../../runtime/settings';
import { outputField } from '../../fields/output';
import { numberOfPapers, numberOfPapersField, usualNumber } from './numberOfPapers';

import { paperId, paperIdField, paperPath } from './paperId';

/** GET /search/research/papers/{id}/similar (addendum 2). */
export const getSimilar = operation({
	name: 'Get Similar',
	value: 'getSimilar',
	action: 'Find related papers',
	description:
		'Returns papers that are related to one paper: similar ones, those that cite it, or those it cites. 2 credits per 10 papers.',
	fields: [
		paperIdField,
		{
			displayName: 'Intent',
			name: 'intent',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. newer methods for the same problem',
			description: 'What kind of related work is wanted',
		},
		numberOfPapersField,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Anchors',
					name: 'anchor',
					type: 'string',
					default: '',
					placeholder: 'e.g. arxiv:2401.00001, pmid:31452104',
					description:
						'Comma-separated IDs of further papers that the results must be related to, up to 9',
				},
				{
					displayName: 'Mode',
					name: 'mode',
					type: 'options',
					default: 'similar',
					options: [
						{ name: 'Cited Papers', value: 'references' },
						{ name: 'Citing Papers', value: 'citers' },
						{ name: 'Similar Papers', value: 'similar' },
					],
					description: 'How the results are related to the paper',
				},
				{
					displayName: 'Rerank',
					name: 'rerank',
					type: 'boolean',
					default: false,
					description:
						'Whether a model puts the results in order by the intent; it does unless told not to',
				},
			],
		},
		outputField,
		...settingsFields({ answers: true }),
	],
	costs: '2 credits per 10 results',
	contract: fields({
		id: paperId(),
		intent: text(),
		k: numberOfPapers().optional(),
		mode: choice('similar', 'citers', 'references').optional(),
		rerank: flag().optional(),
		anchor: list(paperId(), { max: 9 }).optional(),
	}),
	read: ({ id, intent, k, additionalFields }) => ({
		id,
		intent,
		k,
		...membersOf(additionalFields),
	}),
	async run({ id, ...query }, { output }, call) {
		const answer = await call.send({
			method: 'GET',
			path: `${paperPath(id)}/similar`,
			query,
			cost: 'paid answer',
			price: resultsPrice(query.k ?? usualNumber),
		});
		return listResults(answer.body, 'results', output, call.place);
	},
});
