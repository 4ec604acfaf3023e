import type { INodeProperties } from 'n8n-workflow';
import {
	fileFormats,
	fileFormatsField,
	formats,
	formatsField,
	searchFormats,
	searchFormatsField,
} from '../../../../nodes/WebData/fields/formats';
import { accepted, refusals } from '../../verdict.cjs';

const schema = { type: 'object', properties: { price: { type: 'number' } } };

/** An entry as the editor stores it: the options in a collection of their own. */
const stored = (...values: unknown[]) => ({ values });

describe("formats from the editor and in the API's own shape", () => {
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

	it.each(alone)('%s needs nothing', (type) => {
		for (const given of [
			stored({ type }),
			stored({ type, options: {} }),
			[{ type }],
			[type],
			type,
		]) {
			expect(accepted(formats(), given)).toEqual([{ type }]);
		}
	});

	it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
		[
			'screenshot',
			{
				type: 'screenshot',
				options: { fullPage: false, quality: '80', viewport: { width: 1280, height: '720' } },
			},
			{ type: 'screenshot', fullPage: false, quality: 80, viewport: { width: 1280, height: 720 } },
		],
		[
			'screenshot without settings',
			{ type: 'screenshot', options: { viewport: {} } },
			{ type: 'screenshot' },
		],
		[
			'json with a schema',
			{
				type: 'json',
				prompt: '',
				schemaType: 'schema',
				schema: JSON.stringify(schema),
				options: { checkPromptInjection: false },
			},
			{ type: 'json', schema, checkPromptInjection: false },
		],
		[
			'json with an example',
			{
				type: 'json',
				prompt: 'Read the price',
				schemaType: 'example',
				schemaExample: '{"price": 9.5}',
			},
			{ type: 'json', prompt: 'Read the price', schema },
		],
		[
			'changeTracking',
			{
				type: 'changeTracking',
				prompt: 'prices only',
				schemaType: 'schema',
				schema,
				options: { modes: ['git-diff', 'json'], tag: 'hourly' },
			},
			{
				type: 'changeTracking',
				prompt: 'prices only',
				schema,
				modes: ['git-diff', 'json'],
				tag: 'hourly',
			},
		],
		[
			'question',
			{ type: 'question', question: 'When is high tide?' },
			{ type: 'question', question: 'When is high tide?' },
		],
		['highlights', { type: 'highlights', query: 'tides' }, { type: 'highlights', query: 'tides' }],
		[
			'attributes',
			{ type: 'attributes', selectors: { values: [{ selector: 'a', attribute: 'href' }] } },
			{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] },
		],
	])('%s', (_, editor, sent) => {
		const beside = sent.type === 'changeTracking' ? [{ type: 'markdown' }] : [];
		expect(accepted(formats(), stored(...beside, editor))).toEqual([...beside, sent]);
		expect(accepted(formats(), [...beside, sent])).toEqual([...beside, sent]);
		expect(accepted(formats(), JSON.stringify([...beside, sent]))).toEqual([...beside, sent]);
	});

	it('keeps the order, mixes words and objects, and takes comma-separated words', () => {
		expect(accepted(formats(), ['links', { type: 'markdown' }])).toEqual([
			{ type: 'links' },
			{ type: 'markdown' },
		]);
		expect(accepted(formats(), 'links, markdown')).toEqual([
			{ type: 'links' },
			{ type: 'markdown' },
		]);
		expect(accepted(formats(), [])).toEqual([]);
	});

	it('lets a format of tomorrow pass as it is', () => {
		expect(accepted(formats(), [{ type: 'hologram', depth: 3 }])).toEqual([
			{ type: 'hologram', depth: 3 },
		]);
	});

	// An expression in 'Type' makes n8n hand over every field of the entry, with its default.
	it.each(['markdown', 'screenshot', 'question'])(
		'%s by expression, with the untouched fields of the other formats beside it',
		(type) => {
			const entry = {
				type,
				question: '',
				query: '',
				prompt: '',
				schemaType: 'schema',
				schema: '',
				selectors: {},
				options: {},
				...(type === 'question' && { question: 'Why?' }),
			};
			expect(accepted(formats(), stored(entry))).toEqual([
				type === 'question' ? { type, question: 'Why?' } : { type },
			]);
		},
	);
});

describe('formats of a search', () => {
	const types = (field: INodeProperties) =>
		(field.options ?? []).flatMap((group) =>
			'values' in group
				? group.values
						.filter(({ name }) => name === 'type')
						.flatMap(({ options = [] }) => options.map((each) => 'value' in each && each.value))
				: [],
		);
	const impossible = ['attributes', 'audio', 'branding', 'changeTracking', 'rawBase64', 'video'];

	it('are all but those that it cannot make of its results', () => {
		expect(types(searchFormatsField)).toEqual(
			types(formatsField).filter((type) => !impossible.includes(String(type))),
		);
	});

	it.each([...impossible, 'deterministicJson'])('%s is refused, as an object and alone', (type) => {
		const words = `takes no ${type} in a search: use Scrape of the resource Page with the addresses of the results`;
		expect(refusals(searchFormats(), ['markdown', { type }])).toContain(`1 ${words}`);
		expect(refusals(searchFormats(), ['markdown', type])).toContain(`1 ${words}`);
	});

	it('may be one of tomorrow', () => {
		expect(accepted(searchFormats(), ['hologram', 'markdown'])).toEqual([
			{ type: 'hologram' },
			{ type: 'markdown' },
		]);
	});
});

describe('formats that are refused', () => {
	it.each<[string, unknown, string[]]>([
		[
			'a kind whose name is none',
			'{"type":',
			[expect.stringMatching(/^0 type must be one of markdown, .*, not {"type":$/)],
		],
		['json with neither prompt nor schema', ['json'], [`0 needs a 'Prompt' or a 'Schema'`]],
		[
			'json with blank fields of the editor',
			stored({ type: 'json', prompt: '', schemaType: 'schema', schema: '', options: {} }),
			[`0 needs a 'Prompt' or a 'Schema'`],
		],
		[
			'a schema that is no JSON',
			[{ type: 'json', schema: '{"type":' }],
			["0 schema is not valid JSON at line 1, column 9: a '}' is missing at the end"],
		],
		[
			'a schema that is a list',
			[{ type: 'json', schema: '[]' }],
			['0 schema must be a JSON object'],
		],
		[
			'a schema that is a number',
			[{ type: 'json', schema: 5 }],
			['0 schema must be a JSON object'],
		],
		[
			'an example that is no JSON',
			[{ type: 'json', schemaType: 'example', schemaExample: 'Mug' }],
			[
				'0 schemaExample is not valid JSON at line 1, column 1: JSON begins with { or [, not with Mug',
			],
		],
		[
			'a long prompt',
			[{ type: 'json', prompt: 'x'.repeat(10_001) }],
			['0 prompt must be at most 10,000 characters long, not 10,001'],
		],
		[
			'changeTracking without markdown',
			['changeTracking'],
			['needs Markdown beside Change Tracking'],
		],
		[
			'an unknown mode',
			['markdown', { type: 'changeTracking', modes: ['diff'] }],
			['1 modes 0 must be one of git-diff, json, not diff'],
		],
		['two screenshots', ['screenshot', 'screenshot'], ['takes at most one Screenshot']],
		['rawBase64 beside another', ['rawBase64', 'markdown'], ['takes Base64 only on its own']],
		[
			'quality 0',
			[{ type: 'screenshot', quality: 0 }],
			['0 quality must be a whole number from 1 to 100, not 0'],
		],
		[
			'quality 101',
			[{ type: 'screenshot', quality: 101 }],
			['0 quality must be a whole number from 1 to 100, not 101'],
		],
		[
			'a viewport of 0',
			[{ type: 'screenshot', viewport: { width: 0, height: 720 } }],
			['0 viewport width must be a whole number from 1 to 7,680 pixels, not 0'],
		],
		[
			'half a viewport',
			[{ type: 'screenshot', viewport: { width: 1280 } }],
			['0 viewport height is required'],
		],
		['a question without words', [{ type: 'question' }], ['0 question is required']],
		[
			'a long question',
			[{ type: 'question', question: 'x'.repeat(10_001) }],
			['0 question must be at most 10,000 characters long, not 10,001'],
		],
		['highlights without query', [{ type: 'highlights' }], ['0 query is required']],
		['attributes without selectors', [{ type: 'attributes' }], ['0 selectors is required']],
		[
			'attributes with an empty list',
			[{ type: 'attributes', selectors: [] }],
			['0 selectors must be a list of at least 1 entries, not 0'],
		],
		[
			'half a selector',
			[{ type: 'attributes', selectors: [{ selector: 'a' }] }],
			['0 selectors 0 attribute is required'],
		],
		['an entry without type', [{}], ['0 type is required']],
		['no list', { type: 'markdown' }, ['must be a list']],
	])('%s', (_, given, words) => {
		expect(refusals(formats(), given)).toEqual(words);
	});

	it('a member that the format does not have', () => {
		expect(formats().safeParse([{ type: 'markdown', prompt: 'x' }]).success).toBe(false);
		expect(formats().safeParse([{ type: 'screenshot', fullpage: true }]).success).toBe(false);
	});

	it('json beside deterministicJson, which exclude each other', () => {
		expect(
			formats().safeParse([
				{ type: 'json', prompt: 'x' },
				{ type: 'deterministicJson', prompt: 'x' },
			]).success,
		).toBe(false);
	});
});

describe('the formats of a file', () => {
	// Addendum 8: not accepted, for a file is not visited.
	const ofVisits = ['audio', 'branding', 'changeTracking', 'rawBase64', 'screenshot', 'video'];
	// Addendum 8.
	const ofFiles: Record<string, object> = {
		attributes: { selectors: [{ selector: 'a', attribute: 'href' }] },
		highlights: { query: 'tides' },
		html: {},
		images: {},
		json: { prompt: 'price' },
		links: {},
		markdown: {},
		menu: {},
		product: {},
		question: { question: 'When?' },
		rawHtml: {},
		summary: {},
	};
	/** The fields of one entry in the editor. */
	const entryFields = ({ options = [] }: typeof formatsField) =>
		options.flatMap((option) => ('values' in option ? option.values : []));
	const typesOf = (field: typeof formatsField) =>
		entryFields(field)
			.filter(({ name }) => name === 'type')
			.flatMap(({ options = [] }) =>
				options.flatMap((option) => ('value' in option ? [String(option.value)] : [])),
			)
			.sort();

	it.each(Object.entries(ofFiles))('take %s', (type, members) => {
		expect(accepted(fileFormats(), stored({ type, ...members }))).toEqual([{ type, ...members }]);
	});

	it.each(ofVisits)('refuse %s', (type) => {
		const list = type === 'rawBase64' ? [type] : ['markdown', type];
		expect(refusals(fileFormats(), list)).toEqual([`takes no ${type}: a file is not visited`]);
	});

	it('keep the rules of every list', () => {
		expect(refusals(fileFormats(), ['json'])).toEqual([`0 needs a 'Prompt' or a 'Schema'`]);
	});

	it('are what the editor offers for a file: those of pages without what only a visit brings', () => {
		expect(typesOf(fileFormatsField)).toEqual(Object.keys(ofFiles).sort());
		expect(typesOf(formatsField)).toEqual([...Object.keys(ofFiles), ...ofVisits].sort());
	});

	it('show each setting for a format that there is', () => {
		const types = typesOf(fileFormatsField);
		for (const { displayOptions } of entryFields(fileFormatsField)) {
			const shownFor = displayOptions?.show?.type ?? types;
			expect(shownFor.some((type) => types.includes(String(type)))).toBe(true);
		}
	});
});
