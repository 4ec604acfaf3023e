import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import type { OperationName } from '../engine/operationNames.cjs';
import type { Service } from '../mock-server/service.cjs';

/** A request of the node that costs credits, or may. */
export interface RandomRequest extends OperationName {
	parameters: INodeParameters;
}

/** Members of a request that decide what its pages cost, as Request (JSON) gives them. */
const pageMembers = fc.record(
	{
		formats: fc.subarray(
			[
				'markdown',
				'links',
				{ type: 'json', prompt: 'Title' },
				{ type: 'json', prompt: 'Title', checkPromptInjection: true },
				{ type: 'question', question: 'What is it about?' },
				{ type: 'highlights', query: 'tide' },
				'summary',
			],
			{ minLength: 1 },
		),
		parsers: fc.constantFrom(
			[],
			[{ type: 'pdf' }],
			[{ type: 'pdf', maxPages: 1 }],
			[{ type: 'pdf', maxPages: 3 }],
		),
		checkPromptInjection: fc.boolean(),
		redactPII: fc.boolean(),
		lockdown: fc.boolean(),
		threatProtection: fc.constantFrom({ mode: 'normal' }, { mode: 'manual-only' }),
	},
	{ requiredKeys: [] },
);

const keepsNothing = fc.record({ zeroDataRetention: fc.boolean() }, { requiredKeys: [] });

const asJson = (members: object): INodeParameters => ({
	additionalFields: { requestJson: JSON.stringify(members) },
});

const words = fc.constantFrom('tide', 'harbour fees', 'coffee', 'retry', 'lagoon', 'qqxzzv');
const count = (max: number) => fc.integer({ min: 1, max });
const paper = { id: 'doi:10.5555/tide.2024.001' };

/** A draw of one operation's parameters. */
const of = (
	resource: string,
	operation: string,
	parameters: fc.Arbitrary<INodeParameters>,
): fc.Arbitrary<RandomRequest> =>
	parameters.map((given) => ({ resource, operation, parameters: given }));

const tools = [
	{ provider: 'relayworks', capability: 'template-search', options: { query: 'retry' } },
	{ provider: 'tidewatch', capability: 'storm-warnings', options: { coast: 'Husum' } },
	{ provider: 'emberroast', capability: 'coffee-offers', options: {} },
	{ provider: 'nobody', capability: 'knows', options: {} },
];

/**
 * Requests of the operations that cost by what they ask, over the pages of the small web and some that are
 * not there. Passages is a search whose items do not tell how many pages their PDFs have.
 */
export function randomRequests({ site }: Service): fc.Arbitrary<RandomRequest> {
	const addresses = [
		...site.pages.map((each) => each.url),
		'https://tidewatch.example/no-such-page',
		'https://nobody.example/',
	];
	const url = fc.constantFrom(...addresses);
	const page = fc
		.tuple(url, pageMembers, keepsNothing)
		.map(([address, members, more]) => ({ url: address, ...asJson({ ...members, ...more }) }));
	const batch = fc
		.tuple(fc.array(url, { minLength: 1, maxLength: 6 }), pageMembers, keepsNothing)
		.map(([urls, members, more]) => ({
			urls: urls.join('\n'),
			...asJson({ ...members, ...more }),
		}));
	const crawl = fc
		.tuple(url, count(8), pageMembers, keepsNothing)
		.map(([address, limit, scrapeOptions, more]) => ({
			url: address,
			limit,
			...asJson({ scrapeOptions, ...more }),
		}));
	const search = fc
		.tuple(
			words,
			count(25),
			fc.record(
				{
					sources: fc.subarray(['web', 'news', 'images', 'alexandria'], { minLength: 1 }),
					enterprise: fc.constantFrom(['default'], ['zdr']),
					categories: fc.constantFrom(['pdf'], ['developer']),
					threatProtection: fc.constant({ mode: 'normal' }),
					scrapeOptions: pageMembers,
				},
				{ requiredKeys: [] },
			),
		)
		.map(([query, limit, members]) => ({ query, limit, ...asJson(members) }));
	const map = fc
		.tuple(
			url,
			fc.record({ threatProtection: fc.constant({ mode: 'normal' }) }, { requiredKeys: [] }),
		)
		.map(([address, members]) => ({ url: address, ...asJson(members) }));
	const agent = fc
		.tuple(
			words,
			fc.record(
				{
					maxCredits: count(3_000),
					urls: fc.array(url, { minLength: 1, maxLength: 3 }),
					threatProtection: fc.constant({ mode: 'normal' }),
				},
				{ requiredKeys: [] },
			),
		)
		.map(([prompt, members]) => ({ prompt, ...asJson(members) }));
	const tool = fc
		.array(fc.constantFrom(...tools), { minLength: 1, maxLength: 3 })
		.map((calls) => ({ callsFrom: 'list', calls: JSON.stringify(calls) }));
	const list = fc.record({ query: words, k: count(40) });
	return fc.oneof(
		{ weight: 4, arbitrary: of('page', 'scrape', page) },
		{ weight: 3, arbitrary: of('batch', 'run', batch) },
		{ weight: 3, arbitrary: of('crawl', 'run', crawl) },
		{ weight: 4, arbitrary: of('search', 'query', search) },
		{ weight: 1, arbitrary: of('map', 'get', map) },
		{ weight: 2, arbitrary: of('agent', 'run', agent) },
		{ weight: 2, arbitrary: of('tool', 'execute', tool) },
		{ weight: 1, arbitrary: of('paper', 'search', list) },
		{ weight: 1, arbitrary: of('developer', 'search', list) },
		{ weight: 1, arbitrary: of('paper', 'get', fc.constant(paper)) },
		{
			weight: 1,
			arbitrary: of(
				'paper',
				'read',
				words.map((query) => ({ ...paper, query })),
			),
		},
	);
}
