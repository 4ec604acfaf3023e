import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../../../nodes/runtime/form/form';
import {
	ChosenFormats,
	fileFormats,
	formats,
	searchFormats,
} from '../../../../nodes/WebData/fields/formats';
import { searchReading } from '../../../../nodes/WebData/fields/scrapeOptions';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const schema = { type: 'object', properties: { price: { type: 'number' } } };

const formatFields = propertiesOf({ formats });
const fileFormatFields = propertiesOf({ formats: fileFormats });
const searchFormatFields = propertiesOf({ formats: searchReading.formats });

/** The formats that the editor offers. */
const offered = ([{ options = [] }]: INodeProperties[]): string[] =>
	options.flatMap((option) => ('value' in option ? [String(option.value)] : [])).sort();

/** What the editor stores where nobody has touched a field: its default. */
const untouched = Object.fromEntries(
	formatFields.map(({ name, default: initial }) => [name, initial]),
);

/** Formats as the editor stores them: all that is set, and the rest as it was. */
const stored = (names: unknown, fields: Record<string, unknown> = {}) =>
	new ChosenFormats({ ...untouched, ...fields, formats: names });

const alone = [
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
	'audio',
	'video',
];

describe('formats as the editor stores them', () => {
	// With markdown beside each, for alone it is not sent.
	it.each<[string, unknown, Record<string, unknown>, unknown]>([
		['names', ['markdown', 'links'], {}, [{ type: 'markdown' }, { type: 'links' }]],
		['their order', ['links', 'markdown'], {}, [{ type: 'links' }, { type: 'markdown' }]],
		['text of an expression', 'summary, links', {}, [{ type: 'summary' }, { type: 'links' }]],
		['JSON of an expression', '["html"]', {}, [{ type: 'html' }]],
		[
			'one name of an expression',
			'question',
			{ question: 'Why?' },
			[{ type: 'question', question: 'Why?' }],
		],
		[
			'entries as the API has them, among names',
			['markdown', { type: 'json', prompt: 'a' }, { type: 'json', prompt: 'b' }, 'question'],
			{ jsonPrompt: 'not this', question: 'When?' },
			[
				{ type: 'markdown' },
				{ type: 'json', prompt: 'a' },
				{ type: 'json', prompt: 'b' },
				{ type: 'question', question: 'When?' },
			],
		],
		['a format of tomorrow', ['hologram'], {}, [{ type: 'hologram' }]],
		[
			'JSON with a prompt alone',
			['json'],
			{ jsonPrompt: 'Read the price' },
			[{ type: 'json', prompt: 'Read the price' }],
		],
		[
			'JSON with an example',
			['json'],
			{ jsonSchemaExample: '{"price": 9.5}' },
			[{ type: 'json', schema }],
		],
		[
			'JSON with a list as example',
			['json'],
			{ jsonSchemaExample: '[{"price": 9.5}, {"price": 3}]' },
			[
				{
					type: 'json',
					schema: { type: 'object', properties: { items: { type: 'array', items: schema } } },
				},
			],
		],
		[
			'JSON with a prompt and an example',
			['json'],
			{ jsonPrompt: 'Read the price', jsonSchemaExample: '{"price": 9.5}' },
			[{ type: 'json', prompt: 'Read the price', schema }],
		],
		[
			'JSON with a schema',
			['json'],
			{
				jsonSchemaType: 'schema',
				jsonSchema: JSON.stringify(schema),
			},
			[{ type: 'json', schema }],
		],
		[
			'highlights',
			['highlights'],
			{ highlightsQuery: 'tides' },
			[{ type: 'highlights', query: 'tides' }],
		],
		['a screenshot', ['screenshot'], {}, [{ type: 'screenshot' }]],
		[
			'a screenshot of the full page',
			['screenshot'],
			{ screenshotFullPage: true },
			[{ type: 'screenshot', fullPage: true }],
		],
		[
			'changes of the text',
			['markdown', 'changeTracking'],
			{ changeTrackingTag: 'hourly' },
			[{ type: 'markdown' }, { type: 'changeTracking', modes: ['git-diff'], tag: 'hourly' }],
		],
		[
			'changes of the data',
			['markdown', 'changeTracking'],
			{
				changeTrackingModes: ['git-diff', 'json'],
				changeTrackingPrompt: 'prices only',
				changeTrackingSchemaType: 'schema',
				changeTrackingSchema: schema,
			},
			[
				{ type: 'markdown' },
				{ type: 'changeTracking', modes: ['git-diff', 'json'], prompt: 'prices only', schema },
			],
		],
		// While the formats are an expression, n8n shows the fields of every format and mode.
		[
			'changes of the text, with what is set for data beside them',
			['markdown', 'changeTracking'],
			{ changeTrackingPrompt: 'prices only' },
			[{ type: 'markdown' }, { type: 'changeTracking', modes: ['git-diff'] }],
		],
	])('%s', (_, names, fields, sent) => {
		expect(accepted(formats.valueSchema, stored(names, fields))).toEqual(sent);
	});

	it.each([[['markdown']], [[]], ['markdown'], [undefined], [''], [null]])(
		'%j is what the service makes anyway, and a search has to be told',
		(names) => {
			expect(accepted(formats.valueSchema, stored(names))).toBeUndefined();
			expect(accepted(fileFormats.valueSchema, stored(names))).toBeUndefined();
			expect(accepted(searchFormats.valueSchema, stored(names))).toEqual([{ type: 'markdown' }]);
		},
	);

	it.each<[string, unknown, Record<string, unknown>, string]>([
		['no list', 7, {}, 'must be a list'],
		['no name', ['markdown', ''], {}, '1 is required'],
		['a name that is none', ['a b'], {}, expect.stringMatching(/^0 must be one of .*, not a b$/)],
		['JSON as it is at first', ['json'], {}, 'jsonPrompt is required where there is no schema'],
		[
			'JSON of a long prompt',
			['json'],
			{ jsonPrompt: 'x'.repeat(10_001) },
			'jsonPrompt must be at most 10,000 characters long, not 10,001',
		],
		[
			'JSON of an example that is none',
			['links', 'json'],
			{ jsonSchemaExample: '17' },
			'jsonSchemaExample must be a JSON object',
		],
		['no question', ['question'], {}, 'question is required'],
		['no query', ['highlights'], {}, 'highlightsQuery is required'],
		[
			'changes without markdown',
			['changeTracking'],
			{},
			'requires Markdown together with Change Tracking',
		],
		[
			'Base64 beside another',
			['rawBase64', 'links'],
			{},
			'does not allow Base64 together with other formats',
		],
		['an entry of the API', ['links', { type: 'question' }], {}, '1 question is required'],
	])('%s is refused', (_, names, fields, words) => {
		expect(refusals(formats.valueSchema, stored(names, fields))).toEqual([words]);
	});
});

describe("formats in the API's own shape", () => {
	it.each(alone)('%s needs nothing', (type) => {
		for (const given of [[{ type }], [type], type]) {
			expect(accepted(formats.valueSchema, given)).toEqual([{ type }]);
		}
	});

	it.each<Record<string, unknown> & { type: string }>([
		{ type: 'screenshot', fullPage: false },
		{ type: 'menu', modifiers: true },
		{ type: 'json', prompt: 'p', schema },
		{ type: 'changeTracking', prompt: 'p', schema, modes: ['git-diff', 'json'], tag: 'hourly' },
		{ type: 'question', question: 'When is high tide?' },
		{ type: 'highlights', query: 'tides' },
		{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] },
	])('$type', (entry) => {
		const given = [{ type: 'markdown' }, entry];
		expect(accepted(formats.valueSchema, given)).toEqual(given);
		expect(accepted(formats.valueSchema, JSON.stringify(given))).toEqual(given);
	});

	it('keeps the order, mixes words and objects, and takes comma-separated words', () => {
		expect(accepted(formats.valueSchema, ['links', { type: 'markdown' }])).toEqual([
			{ type: 'links' },
			{ type: 'markdown' },
		]);
		expect(accepted(formats.valueSchema, 'links, markdown')).toEqual([
			{ type: 'links' },
			{ type: 'markdown' },
		]);
		expect(accepted(formats.valueSchema, [])).toEqual([]);
	});

	it('lets a format of tomorrow pass as it is', () => {
		expect(accepted(formats.valueSchema, [{ type: 'hologram', depth: 3 }])).toEqual([
			{ type: 'hologram', depth: 3 },
		]);
	});
});

describe('formats of a search', () => {
	const impossible = ['audio', 'branding', 'changeTracking', 'rawBase64', 'video'];

	it('are all but those that it cannot make of its results', () => {
		expect(offered(searchFormatFields)).toEqual(
			offered(formatFields).filter((type) => !impossible.includes(type)),
		);
	});

	it('are shown while pages are to be read', () => {
		for (const { displayOptions } of searchFormatFields) {
			expect(displayOptions?.show?.scrapeResults).toEqual([true]);
		}
	});

	it.each([...impossible, 'attributes', 'deterministicJson'])(
		'%s is refused, as an object and alone',
		(type) => {
			const words = `does not support ${type} in a search: use Scrape of the resource Page with the URLs of the results`;
			expect(refusals(searchFormats.valueSchema, ['markdown', { type }])).toContain(words);
			expect(refusals(searchFormats.valueSchema, ['markdown', type])).toContain(words);
			expect(refusals(searchFormats.valueSchema, stored(['markdown', type]))).toContain(words);
		},
	);

	it('may be one of tomorrow', () => {
		expect(accepted(searchFormats.valueSchema, ['hologram', 'markdown'])).toEqual([
			{ type: 'hologram' },
			{ type: 'markdown' },
		]);
	});
});

describe('formats that are refused', () => {
	const unprompted = '0 prompt is required where there is no schema';

	it.each<[string, unknown, string[]]>([
		[
			'a kind whose name is none',
			'{"type":',
			[expect.stringMatching(/^0 type must be one of .*, not {"type":$/)],
		],
		['json with neither prompt nor schema', ['json'], [unprompted]],
		[
			'a schema that is no JSON',
			[{ type: 'json', schema: '{"type":' }],
			['0 schema is not valid JSON: Unexpected end of JSON input'],
		],
		[
			'a schema that is a number',
			[{ type: 'json', schema: 5 }],
			['0 schema must be a JSON object'],
		],
		[
			'an example that is no JSON',
			[{ type: 'json', schemaType: 'example', schemaExample: 'Mug' }],
			[`0 schemaExample is not valid JSON: Unexpected token 'M', "Mug" is not valid JSON`],
		],
		[
			'an unknown mode',
			['markdown', { type: 'changeTracking', modes: ['diff'] }],
			['1 modes 0 must be one of git-diff, json, not diff'],
		],
		['an entry without type', [{}], ['0 type is required']],
		['no list', { type: 'markdown' }, ['must be a list']],
	])('%s', (_, given, words) => {
		expect(refusals(formats.valueSchema, given)).toEqual(words);
	});

	it('a member that the format does not have', () => {
		expect(formats.valueSchema.safeParse([{ type: 'screenshot', fullpage: true }]).success).toBe(
			false,
		);
	});
});

describe('the formats of a file', () => {
	// Not accepted, for a file is not visited.
	const ofVisits = ['audio', 'branding', 'changeTracking', 'rawBase64', 'screenshot', 'video'];
	const ofFiles: Record<string, object> = {
		highlights: { query: 'tides' },
		html: {},
		images: {},
		json: { prompt: 'price' },
		links: {},
		markdown: {},
		menu: { modifiers: true },
		product: {},
		question: { question: 'When?' },
		rawHtml: {},
		summary: {},
	};

	it.each(Object.entries(ofFiles))('take %s', (type, members) => {
		expect(accepted(fileFormats.valueSchema, [{ type, ...members }])).toEqual([
			{ type, ...members },
		]);
	});

	it.each(ofVisits)('refuse %s', (type) => {
		const list = type === 'rawBase64' ? [type] : ['markdown', type];
		expect(refusals(fileFormats.valueSchema, list)).toEqual([`does not support ${type} for files`]);
	});

	it('keep the rules of every list', () => {
		expect(refusals(fileFormats.valueSchema, ['question'])).toEqual(['0 question is required']);
	});

	it('are what the editor offers for a file: those of pages without what only a visit brings', () => {
		expect(offered(fileFormatFields)).toEqual(Object.keys(ofFiles));
		expect(offered(formatFields)).toEqual([...Object.keys(ofFiles), ...ofVisits].sort());
	});

	it('have no field of a format that there is none of', () => {
		for (const { displayOptions } of fileFormatFields.slice(1)) {
			expect(offered(fileFormatFields)).toContain(displayOptions?.show?.formats?.[0]);
		}
	});
});
