import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import { resources } from '../../nodes/WebData/resources';
import type { OperationName } from '../engine/operationNames.cjs';
import type { Service } from '../mock-server/service.cjs';
import { seedOf } from './fuzzRun.cjs';
import { fieldsOf, type Drawn } from './randomParameters.cjs';

/** A request of the node: its operation, and what a user may have put into its fields. */
export interface RandomRequest extends OperationName {
	drawn: Drawn;
}

/** Fields that need no value that works: whatever is drawn for them does. */
export const freely = new Set(['url', 'urls', 'query', 'limit', 'k', 'calls']);

const words = fc.constantFrom('tide', 'harbour fees', 'coffee', 'retry', 'braid', 'qqxzzv');
const count = (max: number) => fc.integer({ min: 1, max });
const tools = [
	{ provider: 'relayworks', capability: 'template-search', options: { query: 'retry' } },
	{ provider: 'tidewatch', capability: 'storm-warnings', options: { coast: 'Husum' } },
	{ provider: 'emberroast', capability: 'coffee-offers', options: {} },
	{ provider: 'nobody', capability: 'knows', options: {} },
];

/** What a user may put into a field: each choice of it, or two that are drawn. */
function valuesOf(field: INodeProperties): unknown[] {
	const choices = (field.options ?? []).flatMap((one) => ('value' in one ? [one.value] : []));
	if (field.type === 'boolean') return [true, false];
	if (field.type === 'options') return choices;
	if (field.type === 'multiOptions') return choices.map((choice) => [choice]);
	return fc
		.sample(
			fieldsOf([field], (_field, filled) => filled),
			{ seed: seedOf(field.name), numRuns: 2 },
		)
		.map((drawn) => drawn[field.name]);
}

/** Every field of an operation that costs, and every option of its groups, each filled in alone. */
export function requestsByOption({ resource, operation }: OperationName): RandomRequest[] {
	const fields =
		resources
			.find(({ value }) => value === resource)
			?.operations.find(({ value }) => value === operation)?.fields ?? [];
	return fields.flatMap((field) => {
		if (freely.has(field.name)) return [];
		const inside = (field.options ?? []).filter((one): one is INodeProperties => 'type' in one);
		const alone =
			field.type === 'collection' && inside.length > 0
				? inside.flatMap((option) =>
						valuesOf(option).map((value) => ({ [field.name]: { [option.name]: value } })),
					)
				: valuesOf(field).map((value) => ({ [field.name]: value }));
		return alone.map((drawn) => ({ resource, operation, drawn }));
	});
}

/** The operations that cost something. */
export const pricedOperations: OperationName[] = resources.flatMap(
	({ value: resource, operations }) =>
		operations
			.filter(({ costs }) => !costs.startsWith('free'))
			.map(({ value: operation }) => ({ resource, operation })),
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
				.tuple(fieldsOf(fields), fc.record(known))
				.map(([drawn, ours]): RandomRequest => {
					const here = Object.entries(ours).filter(([name]) => name in drawn);
					return { resource, operation, drawn: { ...drawn, ...Object.fromEntries(here) } };
				}),
		})),
	);
	return fc.oneof(...operations);
}
