import type { INodeParameters } from 'n8n-workflow';

/** Actions as the editor stores them, beside the scrape options. */
export const someActions = {
	values: [
		{ type: 'click', selector: '#more' },
		{ type: 'wait', milliseconds: 500 },
	],
} satisfies INodeParameters;

/** Every scrape option of the editor but formats and actions, set to other than the service's default, as the editor stores them. */
export const everyScrapeOption = {
	blockAds: false,
	excludeTags: 'nav, .ad',
	headers: [{ name: 'Cookie', value: 'a=1' }],
	includeTags: 'article, .price',
	location: { country: 'de', languages: 'de-DE, en' },
	maxAge: 0,
	mobile: true,
	onlyMainContent: false,
	parsers: { mode: 'fast', maxPages: 3, pageMarkers: true, pages: true },
	profile: { name: 'shop', saveChanges: false },
	proxy: 'enhanced',
	redactPII: true,
	timeout: 40_000,
	waitFor: 0,
} satisfies INodeParameters;

/** Both as the API takes them. */
export const everyScrapeOptionSent = {
	...everyScrapeOption,
	actions: someActions.values,
	excludeTags: ['nav', '.ad'],
	headers: { Cookie: 'a=1' },
	includeTags: ['article', '.price'],
	location: { country: 'DE', languages: ['de-DE', 'en'] },
	parsers: [{ type: 'pdf', mode: 'fast', maxPages: 3, pageMarkers: true, pages: true }],
};
