import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

const url = 'https://emberroast.example/shop/hand-grinder';
const onlyJson = { url, formats: ['json'], jsonSchemaType: 'example' };

/** Data that a model extracts from a page, by an example. */
describe('The format JSON', () => {
	const testBed = useTestBed();
	const scrape = async (set: INodeParameters) => await testBed.run('page', 'scrape', set);

	it('sends no example that the user did not write', async () => {
		await scrape({ ...onlyJson, jsonPrompt: 'The price' });

		const [{ body }] = testBed.service.log.of('POST', '/v2/scrape');
		expect(body).toMatchObject({
			formats: [{ type: 'json', prompt: 'The price' }, { type: 'markdown' }],
		});
		expect(JSON.stringify(body)).not.toContain('schema');
	});

	it.each([[['json']], [['markdown', 'json']], [['json', 'links']]])(
		'returns its fields at the top of the item among the formats %j',
		async (formats) => {
			const example = '{"title": "", "price": 1}';
			const run = await scrape({ ...onlyJson, formats, jsonSchemaExample: example });

			const [{ json }] = run.output();
			expect(Object.keys(json).slice(0, 3)).toEqual(['title', 'price', 'url']);
			expect(json).toMatchObject({ url, statusCode: 200, page: { title: expect.any(String) } });
			expect(json).not.toHaveProperty('json');
			for (const format of ['markdown', 'links']) {
				expect(format in json).toBe(formats.includes(format));
			}
		},
	);

	it('takes a list as example, and returns an item per entry', async () => {
		const run = await scrape({ ...onlyJson, jsonSchemaExample: '[{"title": "", "price": 1}]' });

		const items = run.output();
		expect(items.length).toBeGreaterThan(0);
		for (const { json, pairedItem } of items) {
			expect(json).toMatchObject({ title: expect.any(String), url });
			expect(pairedItem).toEqual({ item: 0 });
		}
	});
});
