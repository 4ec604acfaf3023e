import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

const values = (...entries: INodeParameters[]): INodeParameters => ({ values: entries });
const more = (additionalFields: INodeParameters): INodeParameters => ({ additionalFields });
const reading = (scrapeOptions: INodeParameters): INodeParameters => ({ scrapeOptions });

/** What the user set, and what the message says: the field by its name in the editor first. */
const bad: Record<string, [set: INodeParameters, ...says: string[]]> = {
	'no URL': [{ url: '={{ $json.absent }}' }, 'URL', 'required'],
	'a URL without host': [{ url: 'https:///pricing' }, 'URL', 'https:///pricing'],
	'a URL of a host without a dot': [{ url: '={{ "pricing" }}' }, 'URL', 'host', 'pricing'],
	'a URL of another scheme': [{ url: 'ftp://tidewatch.example/a' }, 'URL', 'http', 'ftp'],
	'both a URL and tools': [
		more({ requestJson: '{"alexandria": {"provider": "a", "capability": "b"}}' }),
		'alexandria',
		'URL',
		'resource Tool',
	],
	'the wrapper that search has and scrape has not': [
		more({ requestJson: '{"scrapeOptions": {"formats": ["markdown"]}}' }),
		'scrapeOptions',
	],
	'a timeout of 999 ms': [reading({ timeout: 999 }), 'Timeout', '1,000', '999'],
	'a timeout above 300 s': [reading({ timeout: 300_001 }), 'Timeout', '300,000', '300001'],
	'a wait above half the timeout': [
		reading({ timeout: 10_000, waitFor: 5001 }),
		'Wait For',
		'10000',
		'5001',
	],
	'a wait above half of a minute when no timeout is set': [
		reading({ waitFor: 30_001 }),
		'Wait For',
		'30001',
	],
	'actions that wait more than a minute in all': [
		{ actions: values({ type: 'wait', milliseconds: 60_000 }, { type: 'wait', selector: 'a' }) },
		'Actions',
		'60 seconds',
	],
	'more than 50 actions': [
		{ actions: values(...Array.from({ length: 51 }, () => ({ type: 'scrape' }))) },
		'Actions',
		'50',
		'51',
	],
	'two screenshots': [{ formats: '={{ "screenshot, screenshot" }}' }, 'Formats', 'Screenshot'],
	'base64 beside markdown': [{ formats: ['rawBase64', 'markdown'] }, 'Formats', 'Base64'],
	'change tracking without markdown': [{ formats: ['changeTracking'] }, 'Formats', 'Markdown'],
	'attributes without a selector': [
		{ formats: ['attributes'] },
		'Attribute Selectors > entry 1 > CSS Selector',
		'required',
	],
	'an attribute without a name': [
		{ formats: ['attributes'], attributesSelectors: values({ selector: 'a' }) },
		'Attribute Selectors',
		'entry 1',
		'Attribute',
		'required',
	],
	'an attribute taken away': [
		{ formats: ['attributes'], attributesSelectors: values() },
		"'Attribute Selectors'",
		'at least 1',
	],
	'a question without words': [{ formats: ['links', 'question'] }, "'Question' is required"],
	'JSON without prompt, and its example taken away': [
		{ formats: ['json'], jsonSchemaExample: '{}' },
		"'JSON Prompt' is required where there is no schema",
	],
	'formats of an expression that are none': [{ formats: '={{ 7 }}' }, "'Formats' must be a list"],
	'a format of an expression that is none': [
		{ formats: '={{ ["markdown", "a b"] }}' },
		"'Formats > entry 2'",
		'a b',
	],
	'an entry of the API without what it needs': [
		{ formats: '={{ [{ type: "question" }] }}' },
		"'Formats > entry 1 > question' is required",
	],
	'a tool detail that does not exist': [more({ toolDetail: '={{ "all" }}' }), 'Tool Detail', 'all'],
	'repeats that are none': [
		{ retries: { maxDocumentRepeats: -1 } },
		'Max Repeats for Large Documents',
		'-1',
	],
	'a time that is none': [
		{ retries: { maxDocumentTime: '={{ "long" }}' } },
		'Max Time for Large Documents',
		'long',
	],
};

describe('bad input of a scrape', () => {
	const testBed = useTestBed();

	it.each(Object.entries(bad))(
		'%s is refused by the name of its field, and nothing is sent',
		async (_name, [set, ...says]) => {
			const run = await testBed.run('page', 'scrape', {
				url: 'https://tidewatch.example/',
				...set,
			});

			expect(run.status).toBe('error');
			for (const words of says) expect(run.error?.message).toContain(words);
			expect(run.error?.description).toBe('Nothing was sent and nothing was charged.');
			expect(testBed.service.log.entries).toEqual([]);
		},
	);

	it.each([
		['is missing', '={{ $json.absent }}', 'required'],
		['is no ID', 'the first one', 'the first one'],
	])('an ID that %s is refused, and nothing is sent', async (_name, jobId, says) => {
		const run = await testBed.run('page', 'get', { jobId });

		expect(run.error?.message).toMatch(/^'Scrape ID' /);
		expect(run.error?.message).toContain(says);
		expect(testBed.service.log.entries).toEqual([]);
	});
});
