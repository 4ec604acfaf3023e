import type { Operation } from '../../../../nodes/runtime/operation/operation';
import { uncheckedIn } from '../../../../nodes/runtime/form/passUnknown';
import { resources } from '../../../../nodes/WebData/resources';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const caller = { origin: 'intake form', integration: 'n8n' };
const url = 'https://a.example/';
const feedback = { jobId: id, rating: 'bad', note: 'All wrong', issues: ['other'] };

const requests: Array<[string, Record<string, unknown>]> = [
	['search: query', { query: 'tides' }],
	['page: scrape', { url }],
	['batch: run', { urls: url }],
	['batch: start', { urls: url }],
	['crawl: run', { url }],
	['crawl: start', { url }],
	['map: get', { url }],
	['agent: run', { prompt: 'Find it' }],
	['agent: start', { prompt: 'Find it' }],
	['page: feedback', feedback],
	['map: feedback', feedback],
	['file: feedback', feedback],
	['file: parse', { binaryPropertyName: 'data' }],
];

const files = { data: { data: 'QQ==', mimeType: 'application/pdf', fileName: 'a.pdf' } };

const operations = new Map(
	resources.flatMap(({ value, operations: all }) =>
		all.map((operation): [string, Operation] => [`${value}: ${operation.value}`, operation]),
	),
);

describe('who asks', () => {
	it.each(requests)('may be said in the JSON of %s', (name, values) => {
		const operation = operations.get(name);
		if (!operation) throw new Error(`no operation ${name}`);
		const read = (additionalFields: object) =>
			operation.read({ ...values, additionalFields }, files);

		const said = accepted(operation.schema, read({ requestJson: caller }));
		const silent = accepted(operation.schema, read({}));

		expect(said).toEqual({ ...Object(silent), ...caller });
		expect(uncheckedIn(said)).toEqual([]);
		expect(silent).not.toHaveProperty('integration');
		expect(silent).not.toHaveProperty('origin');
		expect(refusals(operation.schema, read({ requestJson: { integration: ['n8n'] } }))).toEqual([
			'integration must be text, not a list',
		]);
	});
});
