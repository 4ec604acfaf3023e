import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { query } from '../../../../nodes/WebData/resources/search/query';
import { searchBody } from '../../verdict.cjs';

type Entry = NonNullable<INodeProperties['options']>[number];

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;

const inside = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.flatMap((entry) => {
		if ('values' in entry) return entry.values;
		return isProperty(entry) ? [entry] : [];
	});

/** The editor's own groups, whose members belong to what is around them. */
const groups = ['additionalFields', 'options'];

/** Properties by name, groups opened; one name may stand for several. */
const named = (properties: readonly INodeProperties[], name: string): INodeProperties[] =>
	properties.flatMap((property) => {
		if (groups.includes(property.name)) return named(inside(property), name);
		return property.name === name ? [property] : [];
	});

/** The properties at a path of API names. */
const at = (path: string): INodeProperties[] =>
	path
		.split('.')
		.reduce<
			INodeProperties[]
		>((found, name, depth) => (depth === 0 ? named(query.fields, name) : found.flatMap((property) => named(inside(property), name))), []);

const valuesOf = (property: INodeProperties): unknown[] =>
	(property.options ?? []).flatMap((option) =>
		'value' in option ? [(option as INodePropertyOptions).value] : [],
	);

const search = [
	'query',
	'limit',
	'sources',
	'domainTools',
	'categories',
	'includeDomains',
	'excludeDomains',
	'tbs',
	'location',
	'country',
	'safe',
	'timeout',
	'ignoreInvalidURLs',
	'highlights',
	'enterprise',
	'scrapeOptions',
	'threatProtection',
];
const scrape = [
	'formats',
	'onlyMainContent',
	'onlyCleanContent',
	'includeTags',
	'excludeTags',
	'maxAge',
	'minAge',
	'headers',
	'waitFor',
	'mobile',
	'skipTlsVerification',
	'timeout',
	'parsers',
	'actions',
	'location',
	'removeBase64Images',
	'blockAds',
	'proxy',
	'storeInCache',
	'lockdown',
	'redactPII',
	'profile',
	'threatProtection',
	'auditMetadata',
];
const threat = [
	'mode',
	'riskScoreThreshold',
	'blacklist',
	'whitelist',
	'blockedTlds',
	'failurePolicy',
];
const screenshot = ['fullPage', 'quality', 'viewport.width', 'viewport.height'];

const under = (prefix: string, names: string[]) => names.map((name) => `${prefix}.${name}`);

describe('every field of the spec is in the editor', () => {
	it.each([
		...search,
		...under('sources', ['type', 'tbs', 'location']),
		...under('tbs', ['range', 'from', 'to', 'sortByDate', 'raw']),
		...under('threatProtection', threat),
		...under('scrapeOptions', scrape),
		...under('scrapeOptions.threatProtection', threat),
		...under('scrapeOptions.parsers', [
			'type',
			'mode',
			'maxPages',
			'pages',
			'blocks',
			'pageMarkers',
		]),
		...under('scrapeOptions.location', ['country', 'languages']),
		...under('scrapeOptions.profile', ['name', 'saveChanges']),
		...under('scrapeOptions.redactPII', ['mode', 'entities', 'replaceStyle']),
		'scrapeOptions.auditMetadata.username',
		...under('scrapeOptions.formats', [
			'type',
			...screenshot,
			'schema',
			'prompt',
			'checkPromptInjection',
			'modes',
			'tag',
			'question',
			'query',
			'selectors.selector',
			'selectors.attribute',
		]),
		...under('scrapeOptions.actions', [
			'type',
			...screenshot,
			'milliseconds',
			'selector',
			'all',
			'text',
			'key',
			'direction',
			'script',
			'format',
			'landscape',
			'scale',
		]),
		...under('queryOperators', [
			'exactPhrase',
			'exclude',
			'site',
			'filetype',
			'inurl',
			'allinurl',
			'intitle',
			'allintitle',
			'related',
			'imagesize',
			'larger',
		]),
	])('%s', (path) => {
		expect(at(path).length).toBeGreaterThan(0);
	});
});

describe('the editor offers the values of the spec, all of them accepted and sent', () => {
	const format = (type: unknown) => {
		const needs: Record<string, object> = {
			json: { prompt: 'x' },
			question: { question: 'x' },
			highlights: { query: 'x' },
			attributes: { selectors: [{ selector: 'a', attribute: 'b' }] },
		};
		const entry = { type, ...needs[String(type)] };
		return {
			scrapeOptions: {
				formats: type === 'changeTracking' ? [{ type: 'markdown' }, entry] : [entry],
			},
		};
	};
	const action = (type: unknown) => {
		const needs: Record<string, object> = {
			wait: { milliseconds: 1 },
			click: { selector: 'a' },
			write: { text: 'x' },
			press: { key: 'Enter' },
			executeJavascript: { script: 'x' },
		};
		return { scrapeOptions: { actions: [{ type, ...needs[String(type)] }] } };
	};
	const more =
		(name: string, listed = false) =>
		(value: unknown) => ({ additionalFields: { [name]: listed ? [value] : value } });
	const threatMember = (name: string) => (value: unknown) => ({
		additionalFields: { threatProtection: { [name]: value } },
	});
	const scrapeMember =
		(outer: string, name: string, listed = false) =>
		(value: unknown) => ({
			scrapeOptions: { [outer]: { [name]: listed ? [value] : value } },
		});

	it.each<[string, string[], (value: unknown) => Record<string, unknown>]>([
		['sources.type', ['web', 'images', 'news', 'alexandria'], (type) => ({ sources: [{ type }] })],
		['categories', ['developer', 'research', 'pdf'], more('categories', true)],
		['enterprise', ['anon', 'zdr'], more('enterprise', true)],
		[
			'tbs.range',
			['qdr:h', 'qdr:d', 'qdr:w', 'qdr:m', 'qdr:y'],
			(range) => ({ additionalFields: { tbs: { range } } }),
		],
		['threatProtection.mode', ['off', 'normal'], threatMember('mode')],
		['threatProtection.failurePolicy', ['open', 'closed'], threatMember('failurePolicy')],
		[
			'scrapeOptions.formats.type',
			[
				'markdown',
				'summary',
				'html',
				'rawHtml',
				'rawBase64',
				'links',
				'images',
				'branding',
				'product',
				'menu',
				'screenshot',
				'json',
				'changeTracking',
				'audio',
				'video',
				'attributes',
				'question',
				'highlights',
			],
			format,
		],
		[
			'scrapeOptions.formats.modes',
			['git-diff', 'json'],
			(mode) => ({
				scrapeOptions: { formats: ['markdown', { type: 'changeTracking', modes: [mode] }] },
			}),
		],
		[
			'scrapeOptions.actions.type',
			[
				'wait',
				'screenshot',
				'click',
				'write',
				'press',
				'scroll',
				'scrape',
				'executeJavascript',
				'pdf',
			],
			action,
		],
		[
			'scrapeOptions.actions.direction',
			['up', 'down'],
			(direction) => ({ scrapeOptions: { actions: [{ type: 'scroll', direction }] } }),
		],
		[
			'scrapeOptions.actions.format',
			['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'],
			(paper) => ({ scrapeOptions: { actions: [{ type: 'pdf', format: paper }] } }),
		],
		[
			'scrapeOptions.parsers.mode',
			['fast', 'auto', 'ocr'],
			(mode) => ({ scrapeOptions: { parsers: [{ type: 'pdf', mode }] } }),
		],
		[
			'scrapeOptions.proxy',
			['basic', 'enhanced', 'auto'],
			(proxy) => ({ scrapeOptions: { proxy } }),
		],
		[
			'scrapeOptions.redactPII.mode',
			['accurate', 'aggressive', 'fast'],
			scrapeMember('redactPII', 'mode'),
		],
		[
			'scrapeOptions.redactPII.entities',
			['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'],
			scrapeMember('redactPII', 'entities', true),
		],
		[
			'scrapeOptions.redactPII.replaceStyle',
			['tag', 'mask', 'remove'],
			scrapeMember('redactPII', 'replaceStyle'),
		],
	])('%s', (path, values, parameters) => {
		for (const property of at(path)) expect(valuesOf(property).sort()).toEqual([...values].sort());
		for (const value of values) {
			expect(JSON.stringify(searchBody(parameters(value)))).toContain(JSON.stringify(value));
		}
	});

	it('and the empty list of parsers, which is a value', () => {
		expect(searchBody({ scrapeOptions: { parsers: { values: [{ type: 'none' }] } } })).toEqual({
			query: 'tides',
			scrapeOptions: { parsers: [] },
		});
	});
});

describe('what the editor stores', () => {
	it('shows a default in a collection that the spec does not have, so that adding a field does something', () => {
		const optional = [
			...at('scrapeOptions'),
			...query.fields.filter(({ name }) => name === 'additionalFields'),
		].flatMap(inside);
		const booleans = optional
			.filter(({ type }) => type === 'boolean')
			.map(({ name, default: initial }) => [name, initial]);
		expect(Object.fromEntries(booleans)).toEqual({
			blockAds: false,
			lockdown: true,
			mobile: true,
			onlyCleanContent: true,
			onlyMainContent: false,
			removeBase64Images: false,
			skipTlsVerification: false,
			storeInCache: false,
			domainTools: true,
			highlights: false,
			ignoreInvalidURLs: true,
			safe: true,
		});
	});
});
