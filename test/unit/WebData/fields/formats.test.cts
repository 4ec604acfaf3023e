import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../../../nodes/runtime/form/form';
import {
	ChosenFormats,
	fileFormats,
	formats,
	searchFormats,
} from '../../../../nodes/WebData/fields/formats';
import { searchReading } from '../../../../nodes/WebData/fields/scrapeOptions';
import { accepted, reads, refusals, type Accepted, type Refused } from '../../schemaAssertions.cjs';

const schema = { type: 'object', properties: { price: { type: 'number' } } };
const list = { type: 'object', properties: { items: { type: 'array', items: schema } } };
const markdown = { type: 'markdown' };

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

type SentFormat = Record<string, unknown> & { type: string };

/** One format of the editor as it is sent, with markdown beside it, for alone that is not sent. */
const one = (fields: Record<string, unknown>, sent: SentFormat): Accepted => [
	stored(['markdown', sent.type], fields),
	[markdown, sent],
];

reads(
	'formats as the editor stores them',
	formats.valueSchema,
	[
		[stored(['links', 'markdown']), [{ type: 'links' }, markdown]],
		[stored('summary, links'), [{ type: 'summary' }, { type: 'links' }]],
		[stored('["html"]'), [{ type: 'html' }]],
		[
			stored([{ type: 'json', prompt: 'a' }, { type: 'json', prompt: 'b' }, 'question'], {
				jsonPrompt: 'not this',
				question: 'When?',
			}),
			[
				{ type: 'json', prompt: 'a' },
				{ type: 'json', prompt: 'b' },
				{ type: 'question', question: 'When?' },
			],
		],
		one({ jsonPrompt: 'the price' }, { type: 'json', prompt: 'the price' }),
		one({ jsonSchemaExample: '{"price": 9.5}' }, { type: 'json', schema }),
		one({ jsonSchemaExample: '[{"price": 9.5}, {"price": 3}]' }, { type: 'json', schema: list }),
		one({ jsonSchemaType: 'schema', jsonSchema: JSON.stringify(schema) }, { type: 'json', schema }),
		one({ highlightsQuery: 'tides' }, { type: 'highlights', query: 'tides' }),
		one({}, { type: 'screenshot' }),
		one({ screenshotFullPage: true }, { type: 'screenshot', fullPage: true }),
		// While the formats are an expression, n8n shows the fields of every format and mode.
		one(
			{ changeTrackingTag: 'hourly', changeTrackingPrompt: 'of the mode that is not chosen' },
			{ type: 'changeTracking', modes: ['git-diff'], tag: 'hourly' },
		),
		one(
			{
				changeTrackingModes: ['json'],
				changeTrackingPrompt: 'prices only',
				changeTrackingSchemaType: 'schema',
				changeTrackingSchema: schema,
			},
			{ type: 'changeTracking', modes: ['json'], prompt: 'prices only', schema },
		),
	],
	[
		[stored(7), 'must be a list'],
		[stored(['markdown', '']), '1 is required'],
		[stored(['text']), expect.stringMatching(/^0 must be one of .*markdown.*, not text$/)],
		[stored(['screenshots']), expect.stringMatching(/, not screenshots: probably screenshot$/)],
		[stored(['a b']), expect.stringMatching(/^0 must be one of .*, not a b$/)],
		[stored(['json']), 'jsonPrompt is required without an example or a schema'],
		[
			stored(['json'], { jsonPrompt: 'x'.repeat(10_001) }),
			'jsonPrompt must be at most 10,000 characters long, not 10,001',
		],
		[
			stored(['links', 'json'], { jsonSchemaExample: '17' }),
			'jsonSchemaExample must be a JSON object',
		],
		[stored(['question']), 'question is required'],
		[stored(['highlights']), 'highlightsQuery is required'],
		[stored(['changeTracking']), 'requires Markdown together with Change Tracking'],
		[stored(['rawBase64', 'links']), 'does not allow Base64 together with other formats'],
		[stored(['links', { type: 'question' }]), '1 question is required'],
	],
);

it.each([[['markdown']], [[]], ['markdown'], [undefined], [''], [null]])(
	'%j is what the service makes anyway, and a search has to be told',
	(names) => {
		expect(accepted(formats.valueSchema, stored(names))).toBeUndefined();
		expect(accepted(fileFormats.valueSchema, stored(names))).toBeUndefined();
		expect(accepted(searchFormats.valueSchema, stored(names))).toEqual([markdown]);
	},
);

const ownForms: SentFormat[] = [
	{ type: 'screenshot', fullPage: false },
	{ type: 'menu', modifiers: true },
	{ type: 'json', prompt: 'p', schema },
	{ type: 'changeTracking', prompt: 'p', schema, modes: ['git-diff', 'json'], tag: 'hourly' },
	{ type: 'question', question: 'When is high tide?' },
	{ type: 'highlights', query: 'tides' },
	{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] },
	{ type: 'hologram', depth: 3 },
];
const plainForms = [
	...['markdown', 'summary', 'html', 'rawHtml', 'rawBase64', 'links', 'images', 'branding'],
	...['product', 'menu', 'audio', 'video'],
];

reads(
	"formats in the API's own shape",
	formats.valueSchema,
	[
		[ownForms.concat(markdown)],
		[JSON.stringify([markdown, ...ownForms]), [markdown, ...ownForms]],
		[
			['links', markdown],
			[{ type: 'links' }, markdown],
		],
		[[]],
		...plainForms.flatMap((type): Accepted[] =>
			[[{ type }], [type], type].map((given) => [given, [{ type }]]),
		),
	],
	[
		['{"type":', expect.stringMatching(/^0 type must be one of .*, not {"type":$/)],
		[['json'], '0 prompt is required without an example or a schema'],
		[[{ type: 'json', schema: 5 }], '0 schema must be a JSON object'],
		[
			[{ type: 'json', schema: '{"type":' }],
			'0 schema is not valid JSON: Unexpected end of JSON input',
		],
		[
			[{ type: 'json', schemaType: 'example', schemaExample: 'Mug' }],
			`0 schemaExample is not valid JSON: Unexpected token 'M', "Mug" is not valid JSON`,
		],
		[
			['markdown', { type: 'changeTracking', modes: ['diff'] }],
			'1 modes 0 must be one of git-diff, json, not diff',
		],
		[[{}], '0 type is required'],
		[markdown, 'must be a list'],
	],
);

describe('formats of a search', () => {
	const impossible = ['audio', 'branding', 'changeTracking', 'rawBase64', 'video'];

	it('are all but those that it cannot make of its results, shown while pages are scraped', () => {
		expect(offered(searchFormatFields)).toEqual(
			offered(formatFields).filter((type) => !impossible.includes(type)),
		);
		for (const { displayOptions } of searchFormatFields) {
			expect(displayOptions?.show?.scrapeResults).toEqual([true]);
		}
	});

	it.each([...impossible, 'attributes', 'deterministicJson'])(
		'%s is refused, as an object and alone',
		(type) => {
			const words = `does not support ${type} in a search: use Scrape of the resource Page with the URLs of the results`;
			for (const given of [[markdown, { type }], ['markdown', type], stored(['markdown', type])]) {
				expect(refusals(searchFormats.valueSchema, given)).toContain(words);
			}
		},
	);
});

// A file is not visited.
const ofVisits = ['audio', 'branding', 'changeTracking', 'rawBase64', 'screenshot', 'video'];
const ofFiles = [
	{ type: 'highlights', query: 'tides' },
	{ type: 'html' },
	{ type: 'images' },
	{ type: 'json', prompt: 'price' },
	{ type: 'links' },
	markdown,
	{ type: 'menu', modifiers: true },
	{ type: 'product' },
	{ type: 'question', question: 'When?' },
	{ type: 'rawHtml' },
	{ type: 'summary' },
];

reads(
	'the formats of a file',
	fileFormats.valueSchema,
	[[ofFiles]],
	[
		[['question'], '0 question is required'],
		...ofVisits.map(
			(type): Refused => [
				type === 'rawBase64' ? [type] : ['markdown', type],
				`does not support ${type} for files`,
			],
		),
	],
);

it('the formats of a file are offered with their own fields: those of pages without what only a visit brings', () => {
	const names = ofFiles.map(({ type }) => type);
	expect(offered(fileFormatFields)).toEqual(names);
	expect(offered(formatFields)).toEqual([...names, ...ofVisits].sort());
	for (const { displayOptions } of fileFormatFields.slice(1)) {
		expect(names).toContain(displayOptions?.show?.formats?.[0]);
	}
});
