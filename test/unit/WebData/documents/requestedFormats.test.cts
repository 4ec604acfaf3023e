import type { IDataObject } from 'n8n-workflow';
import { documentResult } from '../../../../nodes/WebData/documents/document';
import { documentJob } from '../../../../nodes/WebData/documents/documentJob';
import { query } from '../../../../nodes/WebData/resources/search';
import { recordedCall, type RecordedCall, settingsFor } from '../../calls.cjs';
import { crawlKind } from '../../../../nodes/WebData/documents/crawl';

const url = 'https://a.example/menu';
const metadata = { sourceURL: url, statusCode: 200 };

/** A call for a request, which is answered with these bodies in turn. */
const callFor = (body: object, ...bodies: unknown[]): RecordedCall => ({
	...recordedCall(...bodies),
	requests: [{ itemIndex: 0, body }],
});

const noticesOf = (request: object, document: IDataObject): string[] => {
	const call = callFor(request);
	documentResult({ success: true, data: { metadata, ...document } }, 'simplified', call);
	return call.notices;
};

const formats = (...types: string[]) => ({ formats: types });

describe('a format that was requested and did not come', () => {
	it.each<[string, object, IDataObject]>([
		['menu', formats('markdown', 'menu'), { markdown: 'a' }],
		['screenshot', { formats: [{ type: 'screenshot', fullPage: true }] }, { screenshot: null }],
		['question', { formats: [{ type: 'question', question: 'Who?' }] }, { markdown: 'a' }],
		['deterministicJson', formats('deterministicJson'), {}],
		['markdown', formats('markdown'), { html: '' }],
	])('is told: %s', (name, request, document) => {
		expect(noticesOf(request, document)).toEqual([
			`No ${name} returned for ${url}: the page has none, or the server does not support the format.`,
		]);
	});

	it.each<[string, object, IDataObject]>([
		['what came', formats('markdown', 'links', 'menu'), { markdown: 'a', links: [], menu: {} }],
		['an answer', { formats: [{ type: 'question', question: 'Who?' }] }, { answer: 'Ada' }],
		['JSON by a script', formats('deterministicJson'), { json: { a: 1 } }],
		['nothing that was not requested', {}, {}],
	])('is not told of %s', (_, request, document) => {
		expect(noticesOf(request, document)).toEqual([]);
	});

	it.each<[string, object]>([
		['by default', { url }],
		['of a batch', { urls: [url] }],
		['as asked', formats('markdown')],
	])('is told where the page has no text, in markdown %s', (_, request) => {
		const words = `The markdown of ${url} is empty: the page has no text that the server can read.`;
		expect(noticesOf(request, { markdown: '' })).toEqual([words]);
	});

	it.each<[object, IDataObject, string]>([
		[{ url }, {}, 'markdown'],
		[{ formats: [{ type: 'json', prompt: 'a' }] }, { json: {} }, 'json'],
	])('is told of %j where %j came', (request, document, name) => {
		expect(noticesOf(request, document)).toEqual([expect.stringContaining(`No ${name} returned`)]);
	});

	it('is told where redaction leaves nothing', () => {
		const words = `The markdown of ${url} is empty: the server may lack the service that redacts personal data.`;
		expect(noticesOf({ redactPII: true }, { markdown: '' })).toEqual([words]);
		expect(noticesOf({ redactPII: { mode: 'fast' } }, { markdown: '' })).toEqual([words]);
		expect(noticesOf({ redactPII: true }, { markdown: 'a' })).toEqual([]);
		expect(noticesOf({ redactPII: false }, { markdown: '' })).not.toEqual([words]);
	});

	it.each(['simplified', 'raw'])('is told once for the pages of a job, as %s', async (output) => {
		const job = documentJob(crawlKind);
		const pages = [{ metadata, links: [] }, { metadata }, { metadata: { sourceURL: 'https://b' } }];
		const answer = { success: true, status: 'completed', total: 3, data: pages };
		const request = { scrapeOptions: formats('links') };
		const call = callFor(request, answer, { errors: [], robotsBlocked: [] });

		await job.finish({ ...answer, id: 'a' }, { ...call, settings: settingsFor({ output }) });

		expect(call.notices).toEqual([
			`No links returned for ${url} and 1 other page: the page has none, or the server does not support the format.`,
		]);
	});

	it.each(['simplified', 'raw'])('is told of the pages of a search, as %s', async (output) => {
		const request = { query: 'a', limit: 1, scrapeOptions: formats('summary') };
		const web = [{ url }, { url: 'https://b.example', summary: 'b' }];
		const images = [{ url: 'https://c.example', imageUrl: 'https://c.example/c.png' }];
		const call = callFor(request, { success: true, data: { web, images }, creditsUsed: 3 });

		await query.run(request, { ...call, settings: settingsFor({ output }) });

		expect(call.notices).toEqual([expect.stringMatching(/^No summary returned for \S+menu:/)]);
	});
});
