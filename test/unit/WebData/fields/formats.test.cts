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

const markdown = { type: 'markdown' };

describe('formats as the editor stores them', () => {
	// With markdown beside each, for alone it is not sent.
	it.each<[unknown, Record<string, unknown>, object[]]>([
		[['links', 'markdown'], {}, [{ type: 'links' }, markdown]],
		['summary, links', {}, [{ type: 'summary' }, { type: 'links' }]],
		['["html"]', {}, [{ type: 'html' }]],
		[
			[{ type: 'json', prompt: 'a' }, { type: 'json', prompt: 'b' }, 'question'],
			{ jsonPrompt: 'not this', question: 'When?' },
			[
				{ type: 'json', prompt: 'a' },
				{ type: 'json', prompt: 'b' },
				{ type: 'question', question: 'When?' },
			],
		],
		[['hologram'], {}, [{ type: 'hologram' }]],
		[['json'], { jsonPrompt: 'the price' }, [{ type: 'json', prompt: 'the price' }]],
		[['json'], { jsonSchemaExample: '{"price": 9.5}' }, [{ type: 'json', schema }]],
		[
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
			['json'],
			{ jsonSchemaType: 'schema', jsonSchema: JSON.stringify(schema) },
			[{ type: 'json', schema }],
		],
		[['highlights'], { highlightsQuery: 'tides' }, [{ type: 'highlights', query: 'tides' }]],
		[['screenshot'], {}, [{ type: 'screenshot' }]],
		[['screenshot'], { screenshotFullPage: true }, [{ type: 'screenshot', fullPage: true }]],
		// While the formats are an expression, n8n shows the fields of every format and mode.
		[
			['markdown', 'changeTracking'],
			{ changeTrackingTag: 'hourly', changeTrackingPrompt: 'of the mode that is not chosen' },
			[markdown, { type: 'changeTracking', modes: ['git-diff'], tag: 'hourly' }],
		],
		[
			['markdown', 'changeTracking'],
			{
				changeTrackingModes: ['json'],
				changeTrackingPrompt: 'prices only',
				changeTrackingSchemaType: 'schema',
				changeTrackingSchema: schema,
			},
			[markdown, { type: 'changeTracking', modes: ['json'], prompt: 'prices only', schema }],
		],
	])('%j with %j are %j', (names, fields, sent) => {
		expect(accepted(formats.valueSchema, stored(names, fields))).toEqual(sent);
	});

	it.each([[['markdown']], [[]], ['markdown'], [undefined], [''], [null]])(
		'%j is what the service makes anyway, and a search has to be told',
		(names) => {
			expect(accepted(formats.valueSchema, stored(names))).toBeUndefined();
			expect(accepted(fileFormats.valueSchema, stored(names))).toBeUndefined();
			expect(accepted(searchFormats.valueSchema, stored(names))).toEqual([markdown]);
		},
	);

	it.each<[unknown, Record<string, unknown>, string]>([
		[7, {}, 'must be a list'],
		[['markdown', ''], {}, '1 is required'],
		[['a b'], {}, expect.stringMatching(/^0 must be one of .*, not a b$/)],
		[['json'], {}, 'jsonPrompt is required where there is no schema'],
		[
			['json'],
			{ jsonPrompt: 'x'.repeat(10_001) },
			'jsonPrompt must be at most 10,000 characters long, not 10,001',
		],
		[['links', 'json'], { jsonSchemaExample: '17' }, 'jsonSchemaExample must be a JSON object'],
		[['question'], {}, 'question is required'],
		[['highlights'], {}, 'highlightsQuery is required'],
		[['changeTracking'], {}, 'requires Markdown together with Change Tracking'],
		[['rawBase64', 'links'], {}, 'does not allow Base64 together with other formats'],
		[['links', { type: 'question' }], {}, '1 question is required'],
	])('%j with %j are refused: %s', (names, fields, words) => {
		expect(refusals(formats.valueSchema, stored(names, fields))).toEqual([words]);
	});
});

describe("formats in the API's own shape", () => {
	it('are words or objects, in a list, alone, or as JSON', () => {
		const types =
			'markdown summary html rawHtml rawBase64 links images branding product menu audio video';
		for (const type of types.split(' ')) {
			for (const given of [[{ type }], [type], type]) {
				expect(accepted(formats.valueSchema, given)).toEqual([{ type }]);
			}
		}
		const mixed = ['links', markdown];
		expect(accepted(formats.valueSchema, mixed)).toEqual([{ type: 'links' }, markdown]);
		expect(accepted(formats.valueSchema, [])).toEqual([]);
	});

	it.each<Record<string, unknown> & { type: string }>([
		{ type: 'screenshot', fullPage: false },
		{ type: 'menu', modifiers: true },
		{ type: 'json', prompt: 'p', schema },
		{ type: 'changeTracking', prompt: 'p', schema, modes: ['git-diff', 'json'], tag: 'hourly' },
		{ type: 'question', question: 'When is high tide?' },
		{ type: 'highlights', query: 'tides' },
		{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] },
		{ type: 'hologram', depth: 3 },
	])('$type', (entry) => {
		const given = [markdown, entry];
		expect(accepted(formats.valueSchema, given)).toEqual(given);
		expect(accepted(formats.valueSchema, JSON.stringify(given))).toEqual(given);
	});

	it.each<[unknown, string]>([
		['{"type":', expect.stringMatching(/^0 type must be one of .*, not {"type":$/)],
		[['json'], '0 prompt is required where there is no schema'],
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
	])('%j is refused', (given, words) => {
		expect(refusals(formats.valueSchema, given)).toEqual([words]);
	});
});

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

describe('the formats of a file', () => {
	// Not accepted, for a file is not visited.
	const ofVisits = ['audio', 'branding', 'changeTracking', 'rawBase64', 'screenshot', 'video'];
	const ofFiles: Array<Record<string, unknown> & { type: string }> = [
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
	const namesOfFiles = ofFiles.map(({ type }) => type);

	it('keep the rules of every list', () => {
		expect(accepted(fileFormats.valueSchema, ofFiles)).toEqual(ofFiles);
		expect(refusals(fileFormats.valueSchema, ['question'])).toEqual(['0 question is required']);
	});

	it.each(ofVisits)('refuse %s', (type) => {
		const list = type === 'rawBase64' ? [type] : ['markdown', type];
		expect(refusals(fileFormats.valueSchema, list)).toEqual([`does not support ${type} for files`]);
	});

	it('are offered with their own fields: those of pages without what only a visit brings', () => {
		expect(offered(fileFormatFields)).toEqual(namesOfFiles);
		expect(offered(formatFields)).toEqual([...namesOfFiles, ...ofVisits].sort());
		for (const { displayOptions } of fileFormatFields.slice(1)) {
			expect(namesOfFiles).toContain(displayOptions?.show?.formats?.[0]);
		}
	});
});
