import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { settingsIn, settingsSchema } from '../../nodes/runtime/form/settings';
import { withoutUnit } from '../../nodes/runtime/form/field';
import { resources } from '../../nodes/WebData/resources';
import { properties as pollingTriggerFields } from '../../nodes/WebDataPollingTrigger/properties';
import { properties as webDataTriggerFields } from '../../nodes/WebDataTrigger/properties';
import { fieldPlaces, type FieldPlace } from './fieldPlaces.cjs';
import { useTestBed } from './testBed.cjs';
import { watcher } from './pollingTrigger/watching.cjs';
import { tides, useTriggers, watch } from './trigger/triggers.cjs';

/** Expressions that come to nothing, in words. */
const nothings = {
	undefined: '={{ undefined }}',
	null: '={{ null }}',
	'an empty text': '={{ "" }}',
	'an empty object': '={{ {} }}',
};

/** Choices, lists and groups that bound cost, or protect data or people. */
const protecting = new Set(['enterprise', 'redactPII']);

/** Names that only fields have which bound cost, or protect data or people. */
const guardWords = /credits|budget|retention|redact|threat|lockdown|injection|unsigned|enterprise/i;

/** Lists with such a name, and switches, that protect nobody. */
const harmless = new Set([
	// Puts results in another order.
	'tbs.sortByDate',
	// More comes out, and is paid for, only where they are on.
	'scrapeResults',
	'returnAll',
	'returnFailed',
]);

/** A guard of an operation. */
interface Guard {
	name: string;
	resource: string;
	operation: string;
	place: FieldPlace;
}

/** The name of a field, and of the group or list that holds it where there is one. */
const nameOf = ({ way }: FieldPlace) => way.slice(-2).join('.');

/** Whether a field counts as a guard: every number and switch does. */
const isGuard = (place: FieldPlace): boolean =>
	!harmless.has(nameOf(place)) &&
	(['number', 'boolean'].includes(place.field.type) ||
		[nameOf(place), place.field.name].some((name) => protecting.has(name)));

/** The guards among fields that an expression can give: n8n takes none for a whole group, and the schedule of a polling trigger is its own. */
const guardsOf = (fields: readonly INodeProperties[]): FieldPlace[] =>
	fieldPlaces(fields).filter(
		(place) => place.way[0] !== 'pollTimes' && place.field.type !== 'collection' && isGuard(place),
	);

/** The guards of all operations, each definition of one once. */
const operationGuards = (): Guard[] => {
	const seen = new Set<string>();
	return resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(({ value: operation, fields }) =>
			guardsOf(fields).flatMap((place) => {
				const definition = JSON.stringify([place.way, place.field]);
				if (seen.has(definition)) return [];
				seen.add(definition);
				return [
					{ name: `${resource}: ${operation}, ${place.way.join('.')}`, resource, operation, place },
				];
			}),
		),
	);
};

/** The words of the refusal; a field that is always needed is missed as ever. */
const refusal = ({ field }: FieldPlace) =>
	new RegExp(
		`'([^']* > )?${withoutUnit(field.displayName).replace(/[()]/g, '.')}' (has no value|is required)`,
	);

/** Whether an operation refuses a guard without a value by its name. */
function refuses({ resource, operation, place }: Guard): boolean {
	const { operations } = resources.find((each) => each.value === resource) ?? { operations: [] };
	const found = operations.find((each) => each.value === operation);
	if (!found) throw new Error(`no operation ${operation}`);
	const values = place.holding(null as unknown as INodeParameters);
	const issues = [
		...(found.schema.safeParse(found.read(values)).error?.issues ?? []),
		...(settingsSchema.safeParse(settingsIn(values)).error?.issues ?? []),
	];
	return issues.some(
		({ path, message }) =>
			path.includes(place.field.name) && /has no value|is required/.test(message),
	);
}

describe('a guard without a value', () => {
	it('is refused by its operation', () => {
		const guards = operationGuards();
		const missed = guards.filter((guard) => !refuses(guard)).map(({ name }) => name);

		expect(guards.length).toBeGreaterThan(50);
		expect(missed).toEqual([]);
	});
});

describe('a guard whose expression comes to nothing', () => {
	const triggers = useTriggers();
	const { testBed } = triggers;
	const requests = () => testBed.service.log.entries;

	it.each<[string, string, string, (nothing: string) => INodeParameters, RegExp]>([
		['search', 'query', 'a limit', (limit) => ({ query: 'tide', limit }), /^'Limit'/],
		[
			'page',
			'scrape',
			'a switch in a group',
			(redactPII) => ({ url: tides, additionalFields: { redactPII } }),
			/^'Redact Personal Data'/,
		],
		[
			'page',
			'scrape',
			'a number in a group of a group',
			(maxPages) => ({ url: tides, additionalFields: { parsers: { maxPages } } }),
			/Max Pages'/,
		],
		[
			'crawl',
			'start',
			'a setting',
			(maxCreditsPerExecution) => ({ url: tides, options: { maxCreditsPerExecution } }),
			/Max Credits per Execution'/,
		],
	])(
		'is an error of %s: %s that names %s and the item',
		async (resource, operation, _, set, name) => {
			for (const [nothing, expression] of Object.entries(nothings)) {
				const run = await testBed.run(resource, operation, set(expression));

				expect([nothing, run.status]).toEqual([nothing, 'error']);
				expect(run.error?.message).toMatch(name);
				expect(run.error?.message).toMatch(/has no value.*\[item 0\]$/);
			}
			expect(requests()).toEqual([]);
		},
	);

	const firstOf = (fields: readonly INodeProperties[]) => guardsOf(fields)[0];

	it('is an error of the triggers', async () => {
		const polled = firstOf(pollingTriggerFields);
		const watched = firstOf(webDataTriggerFields);

		for (const expression of Object.values(nothings)) {
			const polling = watcher(testBed, polled.holding(expression));
			await expect(polling.activate()).rejects.toThrow(refusal(polled));
			const trigger = await triggers.trigger({ ...watch, ...watched.holding(expression) });
			await expect(trigger.activate()).rejects.toThrow(refusal(watched));
		}
		expect(requests()).toEqual([]);
	});

	it('is an error that an AI model can read, and that stops no other item', async () => {
		const options = { maxCreditsPerExecution: '={{ $json.most }}' };
		const run = await testBed.search(
			{ query: 'tide', options },
			{ input: [{}, { most: 100 }], onError: 'continueRegularOutput' },
		);

		const [failed, ...found] = run.output();
		expect(failed.json.error).toMatch(
			/^'Options > Max Credits per Execution' has no value: give it one, or remove the field/,
		);
		expect(found.every(({ json }) => json.error === undefined)).toBe(true);
		expect(testBed.sent).toHaveLength(1);
	});

	it('is an error in Request (JSON), too, and wipes no field', async () => {
		const given = (requestJson: string) =>
			testBed.run('crawl', 'start', { url: tides, limit: 5, additionalFields: { requestJson } });

		const runs = [
			await given('={{ { limit: $json.absent } }}'),
			await given('{ "scrapeOptions": { "redactPII": null } }'),
		];

		expect(runs.map(({ error }) => error?.message)).toEqual([
			expect.stringMatching(/^'Limit' has no value/),
			expect.stringMatching(/Redact Personal Data' has no value/),
		]);
		expect(requests()).toEqual([]);
	});
});

describe('what is no guard', () => {
	const testBed = useTestBed();

	it.each(Object.entries(nothings))(
		'is left out when its expression gives %s',
		async (_, nothing) => {
			const run = await testBed.search({
				query: 'tide',
				scrapeOptions: { includeTags: nothing },
				additionalFields: {
					country: nothing,
					includeDomains: nothing,
					location: nothing,
					tbs: { range: nothing },
				},
			});

			expect(run.error).toBeUndefined();
			expect(testBed.sent).toEqual([{ query: 'tide', limit: 10 }]);
		},
	);
});

describe('a field whose name says that it bounds cost or protects', () => {
	const all = [
		...resources.flatMap(({ operations }) => operations.flatMap(({ fields }) => fields)),
		...pollingTriggerFields,
		...webDataTriggerFields,
	];

	it('is a guard', () => {
		const missed = fieldPlaces(all)
			.filter(({ field }) => !['notice', 'fixedCollection'].includes(field.type))
			.filter(({ field }) => guardWords.test(`${field.name} ${field.displayName}`))
			.filter((place) => !isGuard(place) && !harmless.has(nameOf(place)));

		expect(missed.map(({ way }) => way.join('.'))).toEqual([]);
	});
});
