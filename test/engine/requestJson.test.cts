import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { builtNode } from '../builtNode.cjs';
import { operationNames, type OperationName } from './operationNames.cjs';
import { useTestBed } from './testBed.cjs';

const { description } = builtNode('WebData');

/** The fields that the editor shows for an operation at first. */
const shownFor = (name: OperationName): INodeProperties[] =>
	description.properties.filter((field) =>
		NodeHelpers.displayParameter({ ...name }, field, null, description),
	);

/** *Request (JSON)* of an operation, if it has it. */
const requestJsonOf = (name: OperationName) =>
	shownFor(name)
		.filter((field) => field.name === 'additionalFields')
		.flatMap(({ options = [] }) => options)
		.find((option): option is INodeProperties => option.name === 'requestJson' && 'type' in option);

/** n8n checks what is stored, so it does not see that Request (JSON) has the value of an empty field. */
describe('a required field in Request (JSON)', () => {
	const testBed = useTestBed();
	const runWith = async (query: string) =>
		await testBed.search({ query, additionalFields: { requestJson: { query: 'tide' } } });

	it('does not replace that of the panel for n8n, as the description says', async () => {
		const texts = operationNames.flatMap((name) => requestJsonOf(name)?.hint ?? []);
		for (const text of texts) expect(text).toContain('Fill in');
		await expect(runWith('')).rejects.toThrow('Parameter "Query" is required.');
	});

	it('is used if the expression of the field returns nothing', async () => {
		const run = await runWith('={{ $json.nothing }}');
		expect([run.status, run.error?.message]).toEqual(['success', undefined]);
		expect(testBed.sent).toEqual([{ query: 'tide', limit: 10 }]);
	});
});

describe('a field that the node does not have', () => {
	const testBed = useTestBed();
	const url = 'https://tidewatch.example/guides/spring-tides';
	const scrape = async (requestJson: INodeParameters) =>
		await testBed.run('page', 'scrape', { url, additionalFields: { requestJson } });

	it('is sent as it is, without a word', async () => {
		const run = await scrape({ minAge: 1, parsers: [{ type: 'pdf', pages: true }] });

		expect(testBed.service.log.entries.map(({ body }) => body)).toEqual([
			{ url, minAge: 1, parsers: [{ type: 'pdf', pages: true }] },
		]);
		expect(run.hints().filter(({ message }) => message.includes('Request (JSON)'))).toEqual([]);
	});

	it('is named by the error if the server does not have it either, or refuses its value', async () => {
		const unknown = await scrape({ minAgee: 1 });
		const wrong = await scrape({ minAge: 'old' });

		expect(unknown.error?.message).toMatch(/minAgee/);
		expect(wrong.error?.message).toMatch(/minAge/);
	});
});
