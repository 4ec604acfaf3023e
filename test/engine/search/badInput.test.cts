import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

interface BadInput {
	set: INodeParameters;
	/** What the message says, the field by its name in the editor first. */
	says: string[];
}

const values = (...entries: INodeParameters[]): INodeParameters => ({ values: entries });
const field = (name: string, value: INodeParameters[string], ...says: string[]): BadInput => ({
	set: { additionalFields: { [name]: value } },
	says,
});
const scrape = (set: INodeParameters, ...says: string[]): BadInput => ({
	set: { readPages: true, scrapeOptions: set },
	says: ['Scrape Options', ...says],
});
/** Of the pages' options, those that have no field beside the search's own. */
const scrapeJson = (members: object, ...says: string[]): BadInput => ({
	set: {
		readPages: true,
		additionalFields: { requestJson: JSON.stringify({ scrapeOptions: members }) },
	},
	says: ['Scrape Options', ...says],
});
const format = (type: string, set: INodeParameters, ...says: string[]): BadInput => ({
	set: { readPages: true, formats: [type], ...set },
	says,
});
const acting = (entries: INodeParameters[], ...says: string[]): BadInput => ({
	set: { readPages: true, actions: values(...entries) },
	says,
});
const action = (set: INodeParameters, ...says: string[]): BadInput =>
	acting([set], 'Actions', ...says);
const wait = (milliseconds: number): INodeParameters => ({ type: 'wait', milliseconds });

/** The list: what must be refused before any request. */
const bad: Record<string, BadInput> = {
	'an empty query': { set: { query: '={{ "" }}' }, says: ['Query', 'required'] },
	'a query that is missing': { set: { query: '={{ $json.absent }}' }, says: ['Query', 'required'] },
	'a blank query': { set: { query: '={{ "   " }}' }, says: ['Query', 'blank'] },
	'a query of 501 characters': { set: { query: 'x'.repeat(501) }, says: ['Query', '500', '501'] },
	'a query that operators make too long': {
		set: { query: 'x'.repeat(490), queryOperators: { site: 'tidewatch.example' } },
		says: ['Query', '500'],
	},
	'limit 0': { set: { limit: 0 }, says: ['Limit', '1', '100', 'not 0'] },
	'limit 101': { set: { limit: 101 }, says: ['Limit', '1', '100', 'not 101'] },
	'limit 1.5': { set: { limit: 1.5 }, says: ['Limit', 'whole number', 'not 1.5'] },
	'limit "abc"': { set: { limit: '={{ "abc" }}' }, says: ['Limit', 'whole number', 'not abc'] },
	'both domain lists': {
		set: { additionalFields: { includeDomains: 'a.example', excludeDomains: 'b.example' } },
		says: ['Include Domains', 'Exclude Domains'],
	},
	'both domain lists, one of them empty': {
		set: { additionalFields: { includeDomains: '={{ [] }}', excludeDomains: 'b.example' } },
		says: ['Include Domains', 'Exclude Domains'],
	},
	'a domain with a path': field(
		'includeDomains',
		'https://a.example/x',
		'Include Domains',
		'https://a.example/x',
	),
	'a domain with a port': field(
		'excludeDomains',
		'a.example:81',
		'Exclude Domains',
		'a.example:81',
	),
	'a domain that is none': field(
		'excludeDomains',
		'a.example, not a domain',
		'Exclude Domains',
		'entry 2',
		'not a domain',
	),
	'a raw time filter that is none': field('tbs', { raw: 'last week' }, 'Time Filter', 'last week'),
	'a period that does not exist': field('tbs', { raw: 'qdr:x' }, 'Time Filter', 'qdr:x'),
	'a custom period without its mark': field(
		'tbs',
		{ raw: 'cd_min:01/01/2026,cd_max:01/02/2026' },
		'Time Filter',
		'cdr:1',
	),
	'a day that does not exist': field(
		'tbs',
		{ raw: 'cdr:1,cd_min:02/30/2026,cd_max:03/01/2026' },
		'Time Filter',
	),
	'an end before its start': field(
		'tbs',
		{ from: '2026-03-02T00:00:00', to: '2026-03-01T00:00:00' },
		'Time Filter',
		'To',
		'From',
	),
	'a raw end before its start': field(
		'tbs',
		{ raw: 'cdr:1,cd_min:03/02/2026,cd_max:03/01/2026' },
		'Time Filter',
	),
	'an end without a start': field('tbs', { to: '2026-03-02T00:00:00' }, 'Time Filter', 'From'),
	'a period cut in two ways': field('tbs', { raw: 'qdr:w,qdr:d' }, 'Time Filter'),
	'a date that is none': field('tbs', { from: '={{ "soon" }}' }, 'Time Filter', 'From'),
	'a period beside dates': field(
		'tbs',
		{ range: 'qdr:d', from: '2026-03-02T00:00:00' },
		'Time Filter',
		'Period',
		'From',
	),
	"a source's end before its start": {
		set: {
			sources: values({ type: 'web', options: { tbs: { from: '2026-03-02', to: '2026-03-01' } } }),
		},
		says: ['Sources', 'entry 1', 'tbs'],
	},
	'a timeout of 0': field('timeout', 0, 'Timeout', 'not 0'),
	'developer beside another category': field(
		'categories',
		['developer', 'pdf'],
		'Categories',
		'Developer',
	),
	'an enterprise mode that does not exist': field(
		'enterprise',
		'={{ ["none"] }}',
		'Enterprise',
		'anon',
		'zdr',
	),
	'a switch that is neither': field(
		'safe',
		'={{ "maybe" }}',
		'Safe Search',
		'true',
		'false',
		'maybe',
	),
	'a risk score of -1': field(
		'threatProtection',
		{ riskScoreThreshold: -1 },
		'Threat Protection',
		'Risk Score Threshold',
		'0',
		'100',
	),
	'a risk score of 101': field(
		'threatProtection',
		{ riskScoreThreshold: 101 },
		'Threat Protection',
		'Risk Score Threshold',
		'0',
		'100',
	),
	'a blacklist of 1001': field(
		'threatProtection',
		{ blacklist: '={{ Array.from({ length: 1001 }, (_, i) => "a" + i + ".example") }}' },
		'Threat Protection',
		'Blacklist',
		'1,000',
		'1001',
	),
	'a whitelist entry with a path': field(
		'threatProtection',
		{ whitelist: 'a.example/x' },
		'Threat Protection',
		'Whitelist',
		'a.example/x',
	),
	'blocked TLDs by the thousand': field(
		'threatProtection',
		{ blockedTlds: '={{ Array.from({ length: 1001 }, (_, i) => "a" + i) }}' },
		'Threat Protection',
		'Blocked TLDs',
		'1,000',
	),
	'a schema that is not valid JSON': format(
		'json',
		{ jsonSchemaType: 'schema', jsonSchema: '{"type": "object",' },
		"'JSON Schema'",
		'JSON',
	),
	'a schema with a property of no type': format(
		'json',
		{
			jsonSchemaType: 'schema',
			jsonSchema: '{"type": "object", "properties": {"price": {}}}',
		},
		'JSON Schema > properties > price',
		'no type',
	),
	'a schema of a request with allOf': field(
		'requestJson',
		'{"scrapeOptions": {"formats": [{"type": "json", "schema": {"allOf": []}}]}}',
		'schema',
		'allOf',
	),
	'a schema that is a list': format(
		'json',
		{ jsonSchemaType: 'schema', jsonSchema: '[]' },
		"'JSON Schema'",
		'object',
	),
	'a schema that is a word': format(
		'json',
		{ jsonSchemaType: 'schema', jsonSchema: '={{ "object" }}' },
		"'JSON Schema'",
		'JSON',
	),
	'an example that is not valid JSON': format(
		'json',
		{ jsonSchemaExample: '{price: 1' },
		"'JSON Example'",
		'JSON',
	),
	'an example that is a list': format(
		'json',
		{ jsonSchemaExample: '[1]' },
		"'JSON Example'",
		'object',
	),
	'JSON without prompt or schema': format(
		'json',
		{ jsonSchemaExample: '{}' },
		"'JSON Prompt' is required where there is no schema",
	),
	'a question without words': format('question', {}, "'Question' is required"),
	'highlights without a query': format('highlights', {}, "'Highlights Query' is required"),
	'a format that a search cannot make, by expression': format(
		'={{ "audio" }}',
		{},
		"'Formats > entry 1'",
		'no audio in a search',
		'Page',
	),
	'a format that a search cannot make, as JSON': field(
		'requestJson',
		'{"scrapeOptions": {"formats": ["markdown", "changeTracking"]}}',
		"'Formats > entry 2'",
		'no changeTracking in a search',
	),
	'two screenshots': {
		set: { readPages: true, formats: '={{ ["screenshot", "screenshot"] }}' },
		says: ["'Formats'", 'Screenshot'],
	},
	'screenshot quality 0': format(
		'screenshot',
		{ screenshotOptions: { quality: 0 } },
		'Screenshot Options > Quality',
		'1',
		'100',
		'not 0',
	),
	'screenshot quality 101': format(
		'screenshot',
		{ screenshotOptions: { quality: 101 } },
		'Quality',
		'not 101',
	),
	'a viewport 0 wide': format(
		'screenshot',
		{ screenshotOptions: { viewport: { width: 0, height: 600 } } },
		'Viewport',
		'Width',
		'not 0',
	),
	'a viewport without height': format(
		'screenshot',
		{ screenshotOptions: { viewport: { width: 800 } } },
		'Viewport',
		'Height',
		'required',
	),
	"quality of an action's screenshot": action(
		{ type: 'screenshot', options: { quality: 101 } },
		'entry 1',
		'Quality',
	),
	'a wait for time and element': action(
		{ type: 'wait', milliseconds: 10, selector: 'main' },
		'Milliseconds',
		'Selector',
		'both',
	),
	'a wait for nothing': action({ type: 'wait' }, "needs 'Milliseconds' or 'Selector'"),
	'a wait of 0': action({ type: 'wait', milliseconds: 0 }, 'Milliseconds', 'not 0'),
	'a click on nothing': action({ type: 'click' }, 'Selector', 'required'),
	'51 actions': acting(
		Array.from({ length: 51 }, () => ({ type: 'scrape' })),
		'Actions',
		'50',
		'51',
	),
	'more than a minute of waiting': acting(
		[wait(30_000), wait(30_000), { type: 'wait', selector: 'main' }],
		'Actions',
		'60',
		'61',
	),
	'more than a minute with Wait For': {
		set: {
			readPages: true,
			actions: values(wait(41_000)),
			scrapeOptions: { waitFor: 20_000 },
		},
		says: ['Actions', '60'],
	},
	'Wait For over half the timeout': scrapeJson(
		{ waitFor: 6000, timeout: 10_000 },
		'Wait For',
		'half',
		'6000',
	),
	'Wait For over half the default timeout': scrape({ waitFor: 30_001 }, 'Wait For', 'half'),
	'a scrape timeout of 999': scrapeJson({ timeout: 999 }, 'timeout', '1,000', '300,000', '999'),
	'a scrape timeout of 300001': scrapeJson({ timeout: 300_001 }, 'timeout', '300,000', '300001'),
	'max pages 0': scrape(
		{ parsers: [{ type: 'pdf', maxPages: 0 }] },
		'Parsers',
		'Max Pages',
		'10,000',
	),
	'max pages 10001': scrape(
		{ parsers: [{ type: 'pdf', maxPages: 10_001 }] },
		'Parsers',
		'Max Pages',
		'10001',
	),
	'no parser and a parser': scrape(
		{ parsers: [{ type: 'none' }, { type: 'pdf' }] },
		'Parsers',
		'None only on its own',
	),
	'a profile name of 129': scrape({ profile: { name: 'x'.repeat(129) } }, 'Profile', 'Name', '128'),
	'a profile without name': scrape(
		{ profile: { saveChanges: false } },
		'Profile',
		'Name',
		'required',
	),
	'a country by its name': scrapeJson(
		{ location: { country: 'Germany' } },
		'location',
		'country',
		'Germany',
	),
	'a country with a digit': scrapeJson(
		{ location: { country: 'D3' } },
		'location',
		'country',
		'D3',
	),
	'a user name of 1025': scrape(
		{ auditMetadata: { username: 'x'.repeat(1025) } },
		'Audit Metadata',
		'Username',
		'1,024',
	),
	'a negative age': scrape({ maxAge: -1 }, 'Max Age', '0'),
	'a proxy that does not exist': scrape({ proxy: '={{ "tor" }}' }, 'Proxy', 'basic', 'tor'),
	'a risk score inside scrape options': scrapeJson(
		{ threatProtection: { riskScoreThreshold: 200 } },
		'threatProtection',
		'riskScoreThreshold',
	),
	'a request that is not valid JSON': field(
		'requestJson',
		'{"limit": 3,',
		'Request (JSON)',
		'not valid JSON',
	),
	'a request that is a list': field(
		'requestJson',
		'={{ ["markdown"] }}',
		'Request (JSON)',
		'JSON object',
	),
	'a request as JSON with a limit of 101': field(
		'requestJson',
		'={{ ({ limit: 101 }) }}',
		'Limit',
		'not 101',
	),
	'a request as JSON with a format that lacks its question': field(
		'requestJson',
		'={{ ({ scrapeOptions: { formats: ["markdown", { type: "question" }] } }) }}',
		'Formats > entry 2 > question',
		'required',
	),
	'a query operator that is a list': {
		set: { queryOperators: { site: '={{ ["a.example"] }}' } },
		says: ['Query Operators', 'Site', 'list'],
	},
	'a time filter with both kinds of period': field(
		'tbs',
		{ raw: 'qdr:w,cdr:1,cd_min:01/01/2026,cd_max:01/02/2026' },
		'Time Filter',
		'either qdr or cdr',
	),
	'requests in flight of 0': {
		set: { limits: { requestsInFlight: 0 } },
		says: ['Requests in Flight', '1', '100'],
	},
	'max tries of 0': { set: { retries: { maxTries: 0 } }, says: ['Max Tries', 'not 0'] },
};

describe('bad input', () => {
	const testBed = useTestBed();

	it.each(Object.entries(bad))(
		'is refused before any request: %s',
		async (_name, { set, says }) => {
			const run = await testBed.search({ query: 'tide', ...set });

			expect(run.status).toBe('error');
			for (const words of says) expect(run.error?.message).toContain(words);
			expect(run.error?.message).toContain('[item 0]');
			expect(testBed.service.log.entries).toEqual([]);
		},
	);

	it('is reported whole: every problem at once', async () => {
		const run = await testBed.search({
			query: 'x'.repeat(501),
			limit: 0,
			additionalFields: { includeDomains: 'a.example/x' },
		});

		for (const name of ['Query', 'Limit', 'Include Domains']) {
			expect(run.error?.message).toContain(name);
		}
	});

	it('lets tools be looked for in the catalogue', async () => {
		const run = await testBed.search({
			query: 'tide',
			sources: ['alexandria'],
		});

		expect(run.status).toBe('success');
		expect(testBed.sent).toEqual([{ query: 'tide', limit: 10, sources: ['alexandria'] }]);
	});

	it('is named by its field when its expression fails', async () => {
		const run = await testBed.search({ query: "={{ $('Nowhere').item.json.q }}" });

		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/^'Query': .*\[item 0\]$/);
		expect(testBed.service.log.entries).toEqual([]);
	});

	describe('in one item of five', () => {
		const parameters = { query: '={{ $json.q }}', limit: 1 };
		const input = ['tide', 'coffee', '   ', 'agents', 'storage'].map((q) => ({ q }));
		const answered = [0, 1, 3, 4].map((item) => ({ item }));

		it('ends the run before anything is sent', async () => {
			const run = await testBed.search(parameters, { input });

			expect(run.status).toBe('error');
			expect(run.error?.message).toMatch(/'Query'.*\[item 2\]/);
			expect(testBed.service.log.entries).toEqual([]);
		});

		it('stands in its place when the node goes on', async () => {
			const run = await testBed.search(parameters, { input, onError: 'continueRegularOutput' });

			const items = run.output();
			expect(run.status).toBe('success');
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
				[0, 1, 2, 3, 4].map((item) => ({ item })),
			);
			expect(items[2].json).toEqual({ error: expect.stringMatching(/'Query'.*\[item 2\]/) });
			expect(testBed.sent).toHaveLength(4);
		});

		it('stands on the error output when the node has one', async () => {
			const run = await testBed.search(parameters, { input, onError: 'continueErrorOutput' });

			expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(answered);
			expect(run.output(undefined, 1)).toMatchObject([
				{
					json: { error: expect.stringMatching(/'Query'.*\[item 2\]/) },
					pairedItem: { item: 2 },
				},
			]);
			expect(testBed.sent).toHaveLength(4);
		});
	});
});
