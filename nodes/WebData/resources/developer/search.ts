import type { Endpoint } from '../../../runtime/api/endpoint';
import { ValidationFailure, preview, stringSchema } from '../../../runtime/form/schema';
import { anyOf, boolean, list, integer, oneOf, string } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { listResults } from '../../../runtime/output/results';
import { costOf, resultsPrice } from '../../fields/prices';
import { settingsFields } from '../../../runtime/form/options';
import { numberOfResults } from '../../fields/limit';
import { outputField } from '../../../runtime/form/resultSettings';
import { query } from '../../fields/query';

const kinds = ['doc', 'issue', 'pull_request', 'readme'] as const;

/**
 * The kind of a result. `issue:owner/repo#7` is an issue: only the ID has the kind
 * (https://docs.firecrawl.dev/api-reference/endpoint/developer-search).
 */
export const kindOf = (id: unknown): string | undefined => {
	const kind = typeof id === 'string' ? id.split(':')[0] : undefined;
	return kinds.find((known) => known === kind);
};

const repository = (value: string) =>
	/^[\w.-]+\/[\w.-]+$/.test(value.trim())
		? value.trim()
		: new ValidationFailure(`must be owner/name, such as n8n-io/n8n, not ${preview(value)}`);

const stars = (given: { displayName: string; default: number; description: string }) =>
	integer({ min: 0, ...given });

const request = form(
	{
		query: query({
			placeholder: 'e.g. retry after 429 in axios',
			description: 'Error message, question or topic',
		}),
		k: numberOfResults(`Number of results to return, 1 to 100; ${costOf('tenResults')} per 10`),
		...additionalFields({
			archived: boolean({
				displayName: 'Archived',
				description: 'Whether to return only archived repositories (on) or exclude them (off)',
			}),
			fork: boolean({
				displayName: 'Fork',
				description: 'Whether to return only forks (on) or exclude forks (off)',
			}),
			language: string({
				displayName: 'Language',
				placeholder: 'e.g. TypeScript',
				description: 'Main language of the repositories',
			}),
			license: string({
				displayName: 'License',
				placeholder: 'e.g. MIT',
				description: "SPDX identifier of the repositories' license",
			}),
			max_stars: stars({
				displayName: 'Max Stars',
				default: 1000,
				description: 'Max number of GitHub stars',
			}),
			min_stars: stars({
				displayName: 'Min Stars',
				default: 100,
				description: 'Min number of GitHub stars',
			}),
			passages: integer({
				displayName: 'Passages',
				min: 1,
				max: 5,
				default: 1,
				description: 'Number of passages per result, 1 to 5',
			}),
			repos: list({
				emptyIsUnset: true,
				displayName: 'Repositories',
				entry: stringSchema({ normalize: repository }),
				max: 20,
				placeholder: 'e.g. n8n-io/n8n, axios/axios',
				description: 'Comma-separated repositories as owner/name, up to 20',
			}),
			skills: oneOf({
				displayName: 'Skills',
				default: 'only',
				options: [{ name: 'Only Skills', value: 'only' }],
				description: 'Only packaged skills for AI agents',
			}),
			sources: list({
				emptyIsUnset: true,
				displayName: 'Sources',
				entry: stringSchema({ max: 512 }),
				max: 20,
				description:
					'Comma-separated documentation sources, up to 20; if empty, repository filters exclude documentation',
			}),
			topic: list({
				emptyIsUnset: true,
				displayName: 'Topics',
				entry: stringSchema(),
				max: 8,
				placeholder: 'e.g. automation, workflow',
				description: 'Comma-separated topics that a repository must have, up to 8',
			}),
			types: anyOf({
				emptyIsUnset: true,
				displayName: 'Types',
				options: [
					{ name: 'Documentation', value: 'doc' },
					{ name: 'Issue', value: 'issue' },
					{ name: 'Pull Request', value: 'pull_request' },
					{ name: 'README', value: 'readme' },
				],
				description: 'Types of results; all if empty',
			}),
		}),
	},
	({ types, repos, sources, min_stars: min, max_stars: max }, reject) => {
		if (repos?.length && types?.length && types.every((type) => type === 'doc')) {
			reject(`requires a type other than Documentation in 'Types'`, 'repos');
		}
		if (sources?.length && types?.length && !types.includes('doc')) {
			reject(`requires Documentation in 'Types'`, 'sources');
		}
		if (min !== undefined && max !== undefined && max < min) {
			reject(`must not be less than 'Min Stars'`, 'max_stars');
		}
	},
);

const searchDeveloperSources: Endpoint = {
	method: 'POST',
	path: '/search/developer',
	bucket: 'developer',
	retrySafety: 'mayChargeTwice',
	since: 'hosted',
	instead: `Use 'Query' of the search with 'Include Domains', such as github.com.`,
};

/** POST /search/developer (https://docs.firecrawl.dev/api-reference/endpoint/developer-search). */
export const search = operation({
	name: 'Search',
	value: 'search',
	action: 'Search developer issues and documentation',
	description: `Searches issues, pull requests, READMEs and documentation of public software, and returns matching passages. ${costOf('tenResults')} per 10 results.`,
	costs: `${costOf('tenResults')} per 10 results`,
	request,
	settings: [outputField, ...settingsFields({ responds: true })],
	async run(body, context) {
		const { output } = context.settings;
		const response = await context.send({
			endpoint: searchDeveloperSources,
			body,
			price: resultsPrice(body.k ?? 10),
		});
		const results = await listResults(response.body, 'results', output, context.errorSource);
		if (output === 'response') return results;
		return results.map(({ json }) => ({ json: { ...json, kind: json.type ?? kindOf(json.id) } }));
	},
});
