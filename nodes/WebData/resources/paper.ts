import type { IDataObject } from 'n8n-workflow';
import { endpoint } from '../../runtime/http/endpoint';
import {
	boolean,
	integer,
	list,
	oneOf,
	required,
	string,
	textField,
} from '../../runtime/form/field';
import { additionalFields, form } from '../../runtime/form/form';
import { settingsFields } from '../../runtime/form/settings';
import { stringSchema } from '../../runtime/form/schema';
import { operation, type ReadContext, type Resource, type Result } from '../../runtime/operation';
import {
	requirePaidField,
	asRecord,
	label,
	listResults,
	without,
} from '../../runtime/execution/results';
import type { Request } from '../../runtime/http/client';
import { day } from '../fields/time';
import { pathId, queryField } from '../fields/common';

const searchPapers = endpoint('GET', '/search/research/papers', 'research');

/** Gets a paper or passages of it (https://docs.firecrawl.dev/api-reference/endpoint/research-paper). */
const getPaper = endpoint('GET', '/search/research/papers/{id}', 'research');

const getSimilarPapers = endpoint('GET', '/search/research/papers/{id}/similar', 'research');

/** The paper of an operation. Any form of ID is one segment of the path. */
const paperId = required(
	textField(
		'Paper ID',
		'Number from a search, an ID with the prefix pmid:, pmcid:, doi: or arxiv:, or an arXiv URL',
		pathId(500),
		{ placeholder: 'e.g. doi:10.1000/182' },
	),
);

/** The number of papers in a list, which has no pagination. */
const numberOfPapers = integer('Limit', 'Max number of papers to return, 1 to 500', {
	min: 1,
	max: 500,
	default: 10,
});

/** Requests a list: an item for each entry, or a notice if there is none. */
async function listOf(
	request: Request,
	name: 'results' | 'passages',
	{ send, settings, errorSource, notice }: ReadContext,
): Promise<Result[]> {
	const { body } = await send(request);
	const results = await listResults(body, name, settings.output, errorSource);
	if (results.length === 0) {
		const what = name === 'passages' ? 'passages: its full text may not be indexed' : 'papers';
		notice(`Item ${errorSource.itemIndex} returned no ${what}`);
	}
	return results;
}

/** GET /search/research/papers (https://docs.firecrawl.dev/api-reference/endpoint/research-search-papers). */
export const search = operation({
	name: 'Search',
	value: 'search',
	action: 'Search scientific papers',
	description:
		'Searches scientific papers, mostly biomedical and arXiv, and returns title, abstract and IDs. Free.',
	request: form(
		{
			query: queryField('Topic of the papers', {
				placeholder: 'e.g. effect of tidal barrages on sediment',
			}),
			k: numberOfPapers,
			...additionalFields({
				authors: list(
					'Authors',
					'Comma-separated names; the paper must have all of them, partial names match',
					{ entry: stringSchema(), placeholder: 'e.g. Curie, Meitner' },
				),
				categories: list(
					'Categories',
					'Comma-separated arXiv categories; the paper must have all of them',
					{ entry: stringSchema(), placeholder: 'e.g. cs.CL, stat.ML' },
				),
				from: day('From', 'Earliest day on which the paper was created or updated'),
				to: day('To', 'Latest day on which the paper was created or updated'),
			}),
		},
		({ from, to }, reject) => {
			if (from !== undefined && to !== undefined && to < from)
				reject(`must not be before 'From'`, 'to');
		},
	),
	settings: settingsFields('output'),
	run: async (query, context) =>
		await listOf({ endpoint: searchPapers, query }, 'results', context),
});

/** GET /search/research/papers/{id} (https://docs.firecrawl.dev/features/research-index). */
const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get paper',
	description: 'Returns title, abstract, authors and dates of a paper by its ID. Free.',
	request: form({ id: paperId }),
	async run({ id }, context) {
		const response = await context.send({ endpoint: getPaper, ids: { id } });
		const record = asRecord(
			requirePaidField(response.body, 'paper', 'the paper', context.errorSource),
		);
		const request = without(response.body as IDataObject, 'paper', 'success');
		return [{ json: label(record, { request }) }];
	},
});

/** GET /search/research/papers/{id} with a question, without which `k` is a 400 (https://docs.firecrawl.dev/api-reference/endpoint/research-paper). */
export const read = operation({
	name: 'Read',
	value: 'read',
	action: 'Find passages in paper',
	description:
		'Returns the passages of a paper that answer a question, best first. If there are none, its full text is not indexed. Free.',
	request: form({
		id: paperId,
		query: required(
			string('Question', 'Question that the passages must answer', {
				placeholder: 'e.g. How large was the sample?',
			}),
		),
		k: integer('Limit', 'Max number of passages to return, 1 to 50', {
			min: 1,
			max: 50,
			default: 4,
		}),
	}),
	settings: settingsFields('output'),
	run: async ({ id, ...query }, context) =>
		await listOf({ endpoint: getPaper, ids: { id }, query }, 'passages', context),
});

/** GET /search/research/papers/{id}/similar (https://docs.firecrawl.dev/api-reference/endpoint/research-related-papers). */
export const getSimilar = operation({
	name: 'Get Similar',
	value: 'getSimilar',
	action: 'Find related papers',
	description:
		'Returns papers related to a paper: similar ones, ones that cite it, or ones it cites. Free.',
	request: form({
		id: paperId,
		intent: required(
			string('Intent', 'What kind of related work to find', {
				placeholder: 'e.g. newer methods for the same task',
			}),
		),
		k: numberOfPapers,
		...additionalFields({
			anchor: list(
				'Anchors',
				'Comma-separated IDs of additional papers that results must be related to, up to 9',
				{ entry: paperId.schema, max: 9, placeholder: 'e.g. arxiv:2401.00001, pmid:31452104' },
			),
			mode: oneOf('Mode', 'How results relate to the paper', {
				default: 'similar',
				options: { references: 'Cited Papers', citers: 'Citing Papers', similar: 'Similar Papers' },
			}),
			rerank: boolean('Rerank', 'Whether a model ranks the results by the intent', {
				default: true,
			}),
		}),
	}),
	settings: settingsFields('output'),
	run: async ({ id, ...query }, context) =>
		await listOf({ endpoint: getSimilarPapers, ids: { id }, query }, 'results', context),
});

export const paper: Resource = {
	name: 'Paper',
	value: 'paper',
	operations: [search, get, read, getSimilar],
};
