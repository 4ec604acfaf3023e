import type { IDataObject } from 'n8n-workflow';
import { documentResult } from '../../../../nodes/WebData/documents/document';
import { recordedCall, settingsFor } from '../../calls.cjs';

/** A call whose user wants an error for a page that is one. */
const strictCall = () => ({
	...recordedCall(),
	settings: settingsFor({ outputOptions: { onPageError: 'error' } }),
});
const page = (statusCode: unknown): IDataObject => ({
	success: true,
	data: { markdown: 'x', metadata: Object({ statusCode, sourceURL: 'https://a.example/b' }) },
});

describe('the document of an answer', () => {
	it('is the result, as it came', () => {
		const document = { markdown: '# A', metadata: { title: ['a', 'b'], statusCode: 200 } };
		const result = documentResult({ success: true, data: document }, 'results', recordedCall());
		expect(result).toEqual({ json: document });
	});

	it('has beside it what the answer says beside it', () => {
		const answer = { success: true, data: { markdown: 'a' }, scrape_id: 'x', warnings: ['w'] };
		const request = { scrape_id: 'x', warnings: ['w'] };
		const { json } = documentResult(answer, 'results', recordedCall());
		expect(json).toEqual({ markdown: 'a', request });
	});

	it('keeps a member of its own that is called request', () => {
		const answer = { data: { request: 'own' }, scrape_id: 'x' };
		expect(documentResult(answer, 'results', recordedCall()).json).toEqual({
			request: { scrape_id: 'x' },
			original: { request: 'own' },
		});
	});

	it('comes out also when it is no object: it is paid for', () => {
		expect(documentResult({ data: [1] }, 'results', recordedCall()).json).toEqual({ value: [1] });
	});

	it('tells its own notices: those of the answer are shown when it comes', () => {
		const given = recordedCall();
		const answer = { warnings: ['one', 'two'], warning: 'three', data: { warning: 'four' } };
		documentResult(answer, 'results', given);
		expect(given.notices).toEqual(['four']);
	});
});

describe('a page that answered with an error', () => {
	it.each([400, 404, 500, 599])('is the result unless the user wants an error (%i)', (status) => {
		const { json } = documentResult(page(status), 'results', recordedCall());
		expect(json).toMatchObject({ metadata: { statusCode: status } });
		expect(() => documentResult(page(status), 'results', strictCall())).toThrow(
			`https://a.example/b returned an error (HTTP ${status}) [item 0]`,
		);
	});

	it.each([200, 204, 301, 399, '404', undefined, null])('is none at %j', (status) => {
		const { json } = documentResult(page(status), 'results', strictCall());
		expect(json).toMatchObject({ markdown: 'x' });
	});

	it('without an address is called the page', () => {
		const answer = { data: { metadata: { statusCode: 404 } } };
		expect(() => documentResult(answer, 'results', strictCall())).toThrow(
			'The page returned an error (HTTP 404) [item 0]',
		);
	});

	it('tells the notices all the same', () => {
		const given = strictCall();
		const answer = page(404);
		Object.assign(Object(answer.data), { warning: 'w' });
		expect(() => documentResult(answer, 'results', given)).toThrow();
		expect([...given.notices]).toEqual(['w']);
	});
});
