import { get } from '../../../../nodes/WebData/resources/map/get';
import { requestOf } from '../../calls.cjs';
import { offeredValues, requestFieldNames } from '../requestFields.cjs';

/** POST /map (addendum 7) but for its undocumented members, each with a value that the service takes. */
const request = {
	url: 'https://a.example',
	search: 'tides',
	sitemap: 'only',
	includeSubdomains: false,
	ignoreQueryParameters: false,
	ignoreCache: true,
	limit: 7,
	timeout: 1,
	location: { country: 'DE' },
	headers: { a: 'b' },
	includePaths: ['/a'],
	excludePaths: ['/b'],
	threatProtection: { mode: 'normal' },
	auditMetadata: { username: 'a' },
};
/** How the editor shows the limit, and what comes out. */
const editorsOwn = ['returnAll', 'output'];

describe('a map', () => {
	it('has one field in the editor for each member of the spec, and one member for each field', () => {
		expect(requestFieldNames(get)).toEqual([...Object.keys(request), ...editorsOwn].sort());
	});

	it('takes every member in the API’s own shape', () => {
		const { url, ...members } = request;
		const parameters = { url, additionalFields: { requestJson: members } };
		expect(requestOf(get, parameters)).toEqual(request);
	});

	it('offers the values of the spec, all of them accepted', () => {
		const sitemaps = offeredValues(get, 'sitemap');
		expect(sitemaps).toEqual(['include', 'only', 'skip']);
		for (const sitemap of sitemaps) {
			const parameters = { url: request.url, additionalFields: { sitemap } };
			expect(requestOf(get, parameters)).toMatchObject({ sitemap });
		}
	});

	it('asks for as many as there can be when all are wanted, also by expression', () => {
		for (const returnAll of [true, 'true']) {
			const parameters = { url: request.url, returnAll, limit: 7 };
			expect(requestOf(get, parameters)).toEqual({ url: request.url, limit: 100_000 });
		}
	});
});
