import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

const url = 'https://tidewatch.example/';
const more = (additionalFields: INodeParameters): INodeParameters => ({ additionalFields });

/** Editor states and the request that each stands for, beside the URL. The limit is always on show. */
const states: Record<string, [set: INodeParameters, sent: object]> = {
	'nothing but a URL': [{}, { limit: 100 }],
	'every field': [
		{
			limit: 7,
			...more({
				search: 'storm surge',
				excludePaths: '/reports/.*\n/energy(/.*)?',
				headers: [{ name: 'Cookie', value: 'a=b' }],
				ignoreCache: true,
				ignoreQueryParameters: false,
				includePaths: '={{ ["/a{1,2}"] }}',
				includeSubdomains: false,
				location: { country: 'UK', languages: 'de' },
				sitemap: 'only',
				timeout: 30_000,
			}),
		},
		{
			limit: 7,
			search: 'storm surge',
			excludePaths: ['/reports/.*', '/energy(/.*)?'],
			headers: { Cookie: 'a=b' },
			ignoreCache: true,
			ignoreQueryParameters: false,
			includePaths: ['/a{1,2}'],
			includeSubdomains: false,
			location: { country: 'GB', languages: ['de'] },
			sitemap: 'only',
			timeout: 30_000,
		},
	],
	'fields added and left blank': [
		{ ...more({ search: '', excludePaths: '', headers: {}, location: {} }) },
		{ limit: 100 },
	],
};

describe('the request of a map', () => {
	const testBed = useTestBed();

	it('has what JSON alone gives', async () => {
		const members = { allowExternalLinks: true, filterByPath: false, useIndex: false };
		const given = (requestJson: object) => more({ requestJson: JSON.stringify(requestJson) });

		const run = await testBed.run('map', 'get', { url, ...given(members) });

		expect(testBed.service.log.of('POST', '/v2/map').map(({ body }) => body)).toEqual([
			{ url, limit: 100, ...members },
		]);
		expect(run.hints()).toEqual([]);
	});

	it.each(Object.entries(states))('is what the editor shows: %s', async (_name, [set, sent]) => {
		const run = await testBed.run('map', 'get', { url, ...set });

		expect(run.error).toBeUndefined();
		const [request, ...others] = testBed.service.log.entries;
		expect([request.path, others]).toEqual(['/v2/map', []]);
		expect(request.body).toEqual({ url, ...sent });
	});
});

interface Link {
	url: string;
	title?: string;
	description?: string;
}

/** What the service itself answers: what the node must not lose or change. */
const ask = async (service: string, key: string, body: object): Promise<Link[]> => {
	const response = await fetch(`${service}/v2/map`, {
		method: 'POST',
		headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
		body: JSON.stringify({ url, limit: 100, ...body }),
	});
	return ((await response.json()) as { links: Link[] }).links;
};

describe('the addresses of a website', () => {
	const testBed = useTestBed();
	const map = async (set: INodeParameters = {}, account = testBed.account()) =>
		await testBed.run('map', 'get', { url, ...set }, { account });
	const asked = async (body: object) => await ask(testBed.service.url, testBed.account().key, body);

	it('are an item each, in the order of the service, for one credit', async () => {
		const account = testBed.account();
		const links = await asked({});

		const run = await map({}, account);

		const items = run.output();
		expect(items.map(({ json }) => json)).toEqual(
			links.map((link, index) => ({
				...link,
				position: index + 1,
				request: { id: expect.any(String) },
			})),
		);
		expect(items.length).toBeGreaterThan(10);
		expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it('are the whole response when the user wants that, in the one shape', async () => {
		const links = await asked({});
		const run = await map({ options: { output: 'raw' } });
		testBed.service.context.options.mapLinks = 'strings';
		const older = await map({ options: { output: 'raw' } });

		expect(run.output()).toMatchObject([
			{ json: { success: true, links }, pairedItem: { item: 0 } },
		]);
		expect(older.output()[0].json.links).toEqual(links.map((link) => ({ url: link.url })));
	});

	it('are all there are', async () => {
		Object.assign(testBed.service.site.bulk, { pages: 6000, bytes: 100 });
		const bulk = { url: 'https://bulk.example/' };

		const some = await map({ ...bulk, limit: 5 });
		const all = await map({ ...bulk, returnAll: true });

		expect(some.output()).toHaveLength(5);
		expect(all.output().length).toBeGreaterThan(5000);
	});

	it('come with the service’s warning', async () => {
		const run = await map({ url: `${url}guides/spring-tides` });

		const [{ json }] = run.output();
		expect(json.request).toMatchObject({ warning: expect.stringMatching(/base domain/) });
		expect(run.hints()).toMatchObject([{ message: expect.stringMatching(/base domain/) }]);
	});
});
