import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import { resources } from '../../nodes/WebData/resources';
import type { OperationName } from '../engine/operationNames.cjs';
import type { Service } from '../mock-server/service.cjs';
import { fieldsOf, type Drawn } from './randomParameters.cjs';

/** A request of the node: its operation, and what a user may have put into its fields. */
export interface RandomRequest extends OperationName {
	drawn: Drawn;
}

const words = fc.constantFrom('tide', 'harbour fees', 'coffee', 'retry', 'braid', 'qqxzzv');
const count = (max: number) => fc.integer({ min: 1, max });
const tools = [
	{ provider: 'relayworks', capability: 'template-search', options: { query: 'retry' } },
	{ provider: 'tidewatch', capability: 'storm-warnings', options: { coast: 'Husum' } },
	{ provider: 'emberroast', capability: 'coffee-offers', options: {} },
	{ provider: 'nobody', capability: 'knows', options: {} },
];

/** The fields with those options of their groups alone whose descriptions name a price. */
const pricedFields = (fields: INodeProperties[]): INodeProperties[] =>
	fields.map((field) =>
		field.type === 'collection'
			? {
					...field,
					options: field.options?.filter((one) => JSON.stringify(one).includes('credit')),
				}
			: field,
	);

/**
 * Requests of every operation that there is, those that cost more often: any of their fields filled in, over the
 * pages of the small web and some that are not there.
 */
export function randomRequests({ site }: Service): fc.Arbitrary<RandomRequest> {
	const documents = site.pages.filter(({ kind }) => kind === 'pdf');
	const url = fc.constantFrom(
		...[...site.pages, ...documents, ...documents].map((each) => each.url),
		'https://tidewatch.example/tides',
		'https://tidewatch.example/no-such-page',
		'https://nobody.example/',
	);
	/** What decides about the price, and what the descriptions give no working value for. */
	const known = {
		url,
		urls: fc.array(url, { minLength: 1, maxLength: 6 }).map((urls) => urls.join('\n')),
		query: words,
		limit: count(8),
		k: count(40),
		calls: fc.array(fc.constantFrom(...tools), { minLength: 1, maxLength: 3 }),
	};
	const operations = resources.flatMap(({ value: resource, operations: all }) =>
		all.map(({ value: operation, costs, fields }) => ({
			weight: costs.startsWith('free') ? 1 : 6,
			arbitrary: fc
				.tuple(fc.oneof(fieldsOf(fields), fieldsOf(pricedFields(fields))), fc.record(known))
				.map(([drawn, ours]): RandomRequest => {
					const here = Object.entries(ours).filter(([name]) => name in drawn);
					return { resource, operation, drawn: { ...drawn, ...Object.fromEntries(here) } };
				}),
		})),
	);
	return fc.oneof(...operations);
}
