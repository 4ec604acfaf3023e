import { namedEndpoints } from './endpoints.cjs';

describe('the endpoints that the node sends to', () => {
	const all = namedEndpoints();

	it('are all found in the sources, each named once', () => {
		const names = all.map(({ method, path }) => `${method} ${path}`);
		expect(names.length).toBeGreaterThan(35);
		expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
	});
});
