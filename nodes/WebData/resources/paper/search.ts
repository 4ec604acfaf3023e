import { fields, list, membersOf, text } from '../../../runtime/contract';
import { inquiry } from '../../../runtime/operation';
import { listResults } from '../../../runtime/results';
import { resultsPrice } from '../../fields/prices';
import { settingsFields } from '../../../runtime/settings';
import { isoDay } from '../../fields/day';
import { outputField } from '../../fields/output';
import { queryField } from '../../fields/query';
import { numberOfPapers, numberOfPapersField, usualNumber } from './numberOfPapers';

/** GET /search/research/papers (addendum 2). */
export const search = inquiry({
	name: 'Search',
	value: 'search',
	action: 'Search scientific papers',
	description:
		'Searches an index of scientific papers, mostly biomedical and arXiv, and returns title, abstract and IDs of each. Read answers a question from one of them. 2 credits per 10 papers.',
	fields: [
		queryField({
			placeholder: 'e.g. effect of tidal barrages on sediment',
			description: 'What the papers are about',
		}),
		numberOfPapersField,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Authors',
					name: 'authors',
					type: 'string',
					default: '',
					placeholder: 'e.g. Curie, Meitner',
					description:
						'Comma-separated names; the paper must have all of them, parts of names count',
				},
				{
					displayName: 'Categories',
					name: 'categories',
					type: 'string',
					default: '',
					placeholder: 'e.g. cs.CL, stat.ML',
					description: 'Comma-separated arXiv categories; the paper must have all of them',
				},
				{
					displayName: 'From',
					name: 'from',
					type: 'dateTime',
					default: '',
					description: 'First day on which the paper was created or updated',
				},
				{
					displayName: 'To',
					name: 'to',
					type: 'dateTime',
					default: '',
					description: 'Last day on which the paper was created or updated',
				},
			],
		},
		outputField,
		...settingsFields({ answers: true }),
	],
	costs: '2 credits per 10 results',
	contract: fields(
		{
			query: text(),
			k: numberOfPapers().optional(),
			authors: list(text()).optional(),
			categories: list(text()).optional(),
			from: isoDay().optional(),
			to: isoDay().optional(),
		},
		({ from, to }, refuse) => {
			if (from !== undefined && to !== undefined && to < from)
				refuse(`must not be before 'From'`, 'to');
		},
	),
	read: ({ query, k, additionalFields }) => ({ query, k, ...membersOf(additionalFields) }),
	async run(query, { output }, call) {
		const answer = await call.send({
			method: 'GET',
			path: '/search/research/papers',
			query,
			cost: 'paid answer',
			price: resultsPrice(query.k ?? usualNumber),
		});
		return listResults(answer.body, 'results', output, call.place);
	},
});
