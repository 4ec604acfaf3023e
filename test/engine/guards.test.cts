import type { INodeParameters } from 'n8n-workflow';
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

/** A guard bounds cost, or protects data or people: every number, every switch, and what is marked as one. */
describe('a guard whose expression comes to nothing', () => {
	const triggers = useTriggers();
	const { testBed } = triggers;
	const requests = () => testBed.service.log.entries;

	it.each<[string, string, string, (nothing: string) => INodeParameters, RegExp]>([
		['search', 'query', 'a limit', (limit) => ({ query: 'tide', limit }), /^'Limit'/],
		[
			'search',
			'query',
			'a choice that protects',
			(enterprise) => ({ query: 'tide', additionalFields: { enterprise } }),
			/^'Enterprise'/,
		],
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

	it('is an error of the triggers', async () => {
		for (const expression of Object.values(nothings)) {
			const polling = watcher(testBed, { watch: 'monitor', onlyMeaningful: expression });
			await expect(polling.activate()).rejects.toThrow(/'Only Meaningful Changes' has no value/);
			const targets = { values: [{ type: 'crawl', url: tides, limit: expression }] };
			const trigger = await triggers.trigger({ ...watch, targets });
			await expect(trigger.activate()).rejects.toThrow(/Limit' has no value/);
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
