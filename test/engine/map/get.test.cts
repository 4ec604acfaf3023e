import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

const url = 'https://tidewatch.example/';

describe('the addresses of a website', () => {
	const testBed = useTestBed();
	const map = async (set: INodeParameters = {}, account = testBed.account()) =>
		await testBed.run('map', 'get', { url, ...set }, { account });

	it('are an item each, in the order of the service, for one credit', async () => {
		const account = testBed.account();

		const items = (await map({}, account)).output();
		const [whole] = (await map({ options: { output: 'raw' } })).output();

		const links = whole.json.links as object[];
		expect(items.length).toBeGreaterThan(10);
		expect(items.map(({ json }) => json)).toEqual(
			links.map((link, index) => ({
				...link,
				position: index + 1,
				...(index === 0 && { request: { id: expect.any(String) } }),
			})),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it('are in one shape in the whole response of older servers, too', async () => {
		const fields = { links: [`${url}guides`, `${url}stations`] };
		testBed.service.faults.add({ kind: 'addition', path: '/v2/map', fields });

		const [{ json }] = (await map({ options: { output: 'raw' } })).output();

		const links = [{ url: `${url}guides` }, { url: `${url}stations` }];
		expect(json).toMatchObject({ success: true, links });
	});
});
