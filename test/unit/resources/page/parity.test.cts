import { scrape } from '../../../../nodes/WebData/resources/page/scrape';
import { requestOf } from '../../calls.cjs';
import { offeredValues, requestFieldNames } from '../requestFields.cjs';

/** POST /scrape (addendum 4; ScrapeOptions: api-v2), each member with a value that the service takes. */
const request = {
	url: 'https://a.example',
	formats: [{ type: 'markdown' }],
	onlyMainContent: false,
	onlyCleanContent: true,
	includeTags: ['a'],
	excludeTags: ['b'],
	maxAge: 0,
	minAge: 0,
	headers: { a: 'b' },
	waitFor: 0,
	mobile: true,
	skipTlsVerification: false,
	timeout: 1000,
	parsers: [],
	actions: [{ type: 'scrape' }],
	location: { country: 'DE' },
	removeBase64Images: false,
	blockAds: false,
	proxy: 'basic',
	storeInCache: false,
	lockdown: true,
	redactPII: true,
	profile: { name: 'a' },
	threatProtection: { mode: 'normal' },
	auditMetadata: { username: 'a' },
	zeroDataRetention: false,
	domainTools: true,
	toolDetail: 'full',
};

describe('a scrape', () => {
	it('has one field in the editor for each member of the spec, and one member for each field', () => {
		expect(requestFieldNames(scrape)).toEqual(Object.keys(request).sort());
	});

	it('takes every member in the API’s own shape', () => {
		const { url, ...members } = request;
		const parameters = { url, additionalFields: { requestJson: members } };
		expect(requestOf(scrape, parameters)).toEqual(request);
	});

	it('offers the values of the spec, all of them accepted', () => {
		const values: Array<[keyof typeof request, string[]]> = [
			['proxy', ['auto', 'basic', 'enhanced']],
			['toolDetail', ['compact', 'full', 'summary']],
		];
		for (const [name, known] of values) {
			expect(offeredValues(scrape, name).sort()).toEqual(known);
			for (const value of known) {
				const parameters = {
					url: request.url,
					additionalFields: { requestJson: { [name]: value } },
				};
				expect(requestOf(scrape, parameters)).toMatchObject({ [name]: value });
			}
		}
	});
});
