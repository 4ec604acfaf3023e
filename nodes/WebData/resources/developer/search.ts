import {
	choice,
	choices,
	fields,
	flag,
	membersOf,
	Refusal,
	shown,
	text,
	wholeNumber,
} from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { listResults } from '../../../runtime/results';
import { resultsPrice } from '../../fields/prices';
import { settingsFields } from '../../../runtime/settings';
import { numberOfResults, numberOfResultsField } from '../../fields/numberOfResults';
import { outputField } from '../../fields/output';
import { queryField } from '../../fields/query';

const kinds = ['doc', 'issue', 'pull_request', 'readme'] as const;

/** `issue:owner/repo#7` is an issue: the kind stands only in the id (sdk-facts 3). */
export const kindOf = (id: unknown): string | undefined => {
	const kind = typeof id === 'string' ? id.split(':')[0] : undefined;
	return kinds.find((known) => known === kind);
};

const repository = (value: string) =>
	/^[\w.-]+\/[\w.-]+$/.test(value.trim())
		? value.trim()
		: new Refusal(`must be owner/name, such as n8n-io/n8n, not ${shown(value)}`);

/** An empty list filters nothing and is not sent. */
const filter = (entry: ReturnType<typeof text>, max: number) => choices(entry, { max }).optional();

const stars = () => wholeNumber({ min: 0 }).optional();

const contract = fields(
	{
		query: text(),
		k: numberOfResults().optional(),
		types: choices(choice(...kinds)).optional(),
		repos: filter(text({ mend: repository }), 20),
		sources: filter(text({ max: 512 }), 20),
		passages: wholeNumber({ min: 1, max: 5 }).optional(),
		language: text().optional(),
		license: text().optional(),
		topic: filter(text(), 8),
		min_stars: stars(),
		max_stars: stars(),
		archived: flag().optional(),
		fork: flag().optional(),
		skills: choice('only').optional(),
	},
	({ types, repos, sources, min_stars: min, max_stars: max }, refuse) => {
		if (repos?.length && types?.length && types.every((type) => type === 'doc')) {
			refuse(`needs a kind beside Documentation in 'Types'`, 'repos');
		}
		if (sources?.length && types?.length && !types.includes('doc')) {
			refuse(`needs Documentation in 'Types'`, 'sources');
		}
		if (min !== undefined && max !== undefined && max < min) {
			refuse(`must not be less than 'Min Stars'`, 'max_stars');
		}
	},
);

/** POST /search/developer (addendum 2, sdk-facts 3). */
export const search = operation({
	name: 'Search',
	value: 'search',
	action: 'Search developer issues and documentation',
	description:
		'Searches issues, pull requests, READMEs and documentation of public software, and returns the passages that fit. Every 10 results cost 2 credits.',
	fields: [
		queryField({
			placeholder: 'e.g. retry after 429 in axios',
			description: 'Error message, question or topic',
		}),
		numberOfResultsField('How many results to return, 1 to 100; every 10 cost 2 credits'),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Archived',
					name: 'archived',
					type: 'boolean',
					default: false,
					description: 'Whether only archived repositories count, or only those that are not',
				},
				{
					displayName: 'Fork',
					name: 'fork',
					type: 'boolean',
					default: false,
					description: 'Whether only forks count, or only repositories that are none',
				},
				{
					displayName: 'Language',
					name: 'language',
					type: 'string',
					default: '',
					placeholder: 'e.g. TypeScript',
					description: 'Main language of the repositories',
				},
				{
					displayName: 'License',
					name: 'license',
					type: 'string',
					default: '',
					placeholder: 'e.g. MIT',
					description: "Short name (SPDX) of the repositories' license",
				},
				{
					displayName: 'Max Stars',
					name: 'max_stars',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 1000,
					description: 'Leaves out repositories with more GitHub stars',
				},
				{
					displayName: 'Min Stars',
					name: 'min_stars',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 100,
					description: 'Leaves out repositories with fewer GitHub stars',
				},
				{
					displayName: 'Passages',
					name: 'passages',
					type: 'number',
					typeOptions: { minValue: 1, maxValue: 5 },
					default: 1,
					description: 'How many passages of each result to return, 1 to 5',
				},
				{
					displayName: 'Repositories',
					name: 'repos',
					type: 'string',
					default: '',
					placeholder: 'e.g. n8n-io/n8n, axios/axios',
					description: 'Comma-separated repositories as owner/name, up to 20',
				},
				{
					displayName: 'Skills',
					name: 'skills',
					type: 'options',
					default: 'only',
					options: [{ name: 'Only Skills', value: 'only' }],
					description: 'Restricts the search to packaged skills for AI agents',
				},
				{
					displayName: 'Sources',
					name: 'sources',
					type: 'string',
					default: '',
					description:
						'Comma-separated documentation sources, up to 20; without them, filters on repositories leave documentation out',
				},
				{
					displayName: 'Topics',
					name: 'topic',
					type: 'string',
					default: '',
					placeholder: 'e.g. automation, workflow',
					description: 'Comma-separated topics that a repository must all have, up to 8',
				},
				{
					displayName: 'Types',
					name: 'types',
					type: 'multiOptions',
					default: [],
					options: [
						{ name: 'Documentation', value: 'doc' },
						{ name: 'Issue', value: 'issue' },
						{ name: 'Pull Request', value: 'pull_request' },
						{ name: 'README', value: 'readme' },
					],
					description: 'Kinds of results; all when empty',
				},
			],
		},
		outputField,
		...settingsFields({ answers: true }),
	],
	costs: '2 credits per 10 results',
	contract,
	read: ({ query, k, additionalFields }) => ({ query, k, ...membersOf(additionalFields) }),
	async run(body, { output }, call) {
		const answer = await call.send({
			method: 'POST',
			path: '/search/developer',
			body,
			cost: 'paid answer',
			price: resultsPrice(body.k ?? 10),
		});
		const results = listResults(answer.body, 'results', output, call.place);
		if (output === 'response') return results;
		return results.map(({ json }) => ({ json: { ...json, kind: json.type ?? kindOf(json.id) } }));
	},
});
