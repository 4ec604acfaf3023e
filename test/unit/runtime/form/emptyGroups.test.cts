import type { INodeProperties } from 'n8n-workflow';
import { emptyGroupsIn } from '../../../../nodes/runtime/form/emptyGroups';
import { crawlRequest } from '../../../../nodes/WebData/resources/crawl';
import { query } from '../../../../nodes/WebData/resources/search';
import type { JsonRecord } from '../../../../nodes/runtime/values/record';

const emptyOf = (fields: INodeProperties[], values: JsonRecord) =>
	emptyGroupsIn({ fields, values, way: [] });

describe('groups that were added and left empty', () => {
	it.each<[string, JsonRecord, string[]]>([
		['nothing that was added', {}, []],
		['a collection that is always there', { scrapeOptions: {}, additionalFields: {} }, []],
		['one that opens with a blank', { scrapeOptions: { location: { country: '' } } }, ['Location']],
		['one whose entry was removed', { scrapeOptions: { location: {} } }, ['Location']],
		['one with an answer', { scrapeOptions: { location: { country: 'DE', languages: '' } } }, []],
		['one with a switch that is off', { scrapeOptions: { redactPII: { enabled: false } } }, []],
		['a list', { scrapeOptions: { headers: [{ name: '', value: '' }], parsers: [] } }, []],
		['what is no group', { scrapeOptions: 'x', additionalFields: null }, []],
	])('of %s', (_, values, names) => {
		expect(emptyOf(crawlRequest.fields, values)).toEqual(
			names.map((name) => `Scrape Options > ${name}`),
		);
	});

	it('are found beside those that are not empty, and below them', () => {
		const values = {
			additionalFields: { tbs: { from: '' } },
			scrapeResults: true,
			scrapeOptions: { location: {} },
		};
		expect(emptyOf(query.fields, values)).toEqual([
			'Scrape Options > Location',
			'Additional Fields > Time Filter',
		]);
	});
});
