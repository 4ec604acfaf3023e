import type { INodeProperties } from 'n8n-workflow';
import { properties as pollingTriggerFields } from '../../nodes/WebDataPollingTrigger/properties';
import { properties as webDataTriggerFields } from '../../nodes/WebDataTrigger/properties';
import { resources } from '../../nodes/WebData/resources';
import { fieldPlaces } from './fieldPlaces.cjs';
import {
	guardsOf,
	guardWords,
	harmless,
	isGuard,
	nameOf,
	nothings,
	operationGuards,
	refusal,
} from './guardFields.cjs';
import { inMemory } from './file/inputFiles.cjs';
import { useTestBed } from './testBed.cjs';
import { watcher } from './pollingTrigger/watching.cjs';
import { tides, useTriggers, watch } from './trigger/triggers.cjs';
import { Fixtures, validParameters } from './validParameters.cjs';

const named = (fields: readonly INodeProperties[]) =>
	guardsOf(fields).map((place) => ({ name: place.way.join('.'), place }));

describe('a guard whose expression comes to nothing', () => {
	const triggers = useTriggers();
	const { testBed } = triggers;
	const requests = () => testBed.service.log.entries;
	const binary = { data: inMemory('fees.html', 'text/html', '<h1>Fees</h1>') };

	it.each(operationGuards())('is an error that names field and item: $name', async (guard) => {
		const { resource, operation, place } = guard;
		const account = testBed.account();
		const sound = await validParameters(
			{ resource, operation },
			new Fixtures(testBed.service, account),
		);
		const before = requests().length;

		for (const [nothing, expression] of Object.entries(nothings)) {
			const parameters = { ...sound, ...place.holding(expression) };
			const run = await testBed.run(resource, operation, parameters, {
				account,
				input: [{ json: { tag: 'a' }, binary }],
			});

			expect([nothing, run.status]).toEqual([nothing, 'error']);
			expect(run.error?.message).toMatch(refusal(place));
			expect(run.error?.message).toMatch(/\[item 0\]$/);
		}
		expect(requests().slice(before)).toEqual([]);
	});

	it.each(named(pollingTriggerFields))(
		'is an error of the Polling Trigger: $name',
		async (guard) => {
			const { place } = guard;

			for (const expression of Object.values(nothings)) {
				const trigger = watcher(testBed, place.holding(expression));
				await expect(trigger.activate()).rejects.toThrow(refusal(place));
			}
			expect(requests()).toEqual([]);
		},
	);

	it.each(named(webDataTriggerFields))(
		'is an error of the Web Data Trigger: $name',
		async (guard) => {
			const { place } = guard;

			for (const expression of Object.values(nothings)) {
				const trigger = await triggers.trigger({ ...watch, ...place.holding(expression) });
				await expect(trigger.activate()).rejects.toThrow(refusal(place));
			}
			expect(requests()).toEqual([]);
		},
	);

	it('is an error that an AI model can read, and that stops no other item', async () => {
		const limits = { maxCreditsPerExecution: '={{ $json.most }}' };
		const run = await testBed.search(
			{ query: 'tide', limits },
			{ input: [{}, { most: 100 }], onError: 'continueRegularOutput' },
		);

		const [failed, ...found] = run.output();
		expect(failed.json.error).toBe(
			"'Limits > Max Credits per Execution' has no value: give it one, or remove the field [item 0]",
		);
		expect(found.every(({ json }) => json.error === undefined)).toBe(true);
		expect(testBed.sent).toHaveLength(1);
	});

	it('is an error in Request (JSON), too, and wipes no field', async () => {
		const given = (requestJson: string) =>
			testBed.run('crawl', 'start', {
				url: tides,
				limit: 5,
				additionalFields: { zeroDataRetention: true, requestJson },
			});

		const runs = [
			await given('={{ { limit: $json.absent } }}'),
			await given('{ "zeroDataRetention": null }'),
			await given('{ "scrapeOptions": { "lockdown": "" } }'),
			await given('{ "scrapeOptions": { "threatProtection": null } }'),
		];

		expect(runs.map(({ error }) => error?.message)).toEqual([
			expect.stringMatching(/^'Limit' has no value/),
			expect.stringMatching(/^'Zero Data Retention' has no value/),
			expect.stringMatching(/Lockdown' has no value/),
			expect.stringMatching(/Threat Protection' has no value/),
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
				queryOperators: { exactPhrase: nothing },
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

	it('is left out where the editor shows it empty, as a list of a group that protects', async () => {
		const run = await testBed.search({
			query: 'tide',
			additionalFields: { threatProtection: { blacklist: '', mode: 'normal' } },
		});

		expect(run.error).toBeUndefined();
		expect(testBed.sent).toEqual([
			{ query: 'tide', limit: 10, threatProtection: { mode: 'normal' } },
		]);
	});
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
