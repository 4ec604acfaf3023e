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

	it('returns its fields at the top of the item if no other format is chosen', async () => {
		const run = await scrape({ ...onlyJson, jsonSchemaExample: '{"title": "", "price": 1}' });

		const [{ json }] = run.output();
		expect(Object.keys(json).slice(0, 2)).toEqual(['title', 'price']);
		expect(json).toMatchObject({ url, statusCode: 200, original: { title: expect.any(String) } });
		expect(json).not.toHaveProperty('json');
	});

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
