import { documentResult } from '../../../../nodes/WebData/documents/document';
import { recordedCall } from '../../calls.cjs';

describe('the document of an answer', () => {
	it('is the result, as it came', () => {
		const document = { markdown: '# A', metadata: { title: ['a', 'b'], statusCode: 200 } };
		const result = documentResult({ success: true, data: document }, 'simplified', recordedCall());
		expect(result).toEqual({ json: document });
	});

	it('has beside it what the answer says beside it', () => {
		const answer = { success: true, data: { markdown: 'a' }, scrape_id: 'x', warnings: ['w'] };
		const request = { scrape_id: 'x', warnings: ['w'] };
		const { json } = documentResult(answer, 'simplified', recordedCall());
		expect(json).toEqual({ markdown: 'a', request });
	});

	it('keeps a member of its own that is called request', () => {
		const answer = { data: { request: 'own' }, scrape_id: 'x' };
		expect(documentResult(answer, 'simplified', recordedCall()).json).toEqual({
			request: { scrape_id: 'x' },
			original: { request: 'own' },
		});
	});

	it('comes out also when it is no object: it is paid for', () => {
		expect(documentResult({ data: [1] }, 'simplified', recordedCall()).json).toEqual({
			value: [1],
		});
	});

	it('tells its own notices: those of the answer are shown when it comes', () => {
		const given = recordedCall();
		const answer = { warnings: ['one', 'two'], warning: 'three', data: { warning: 'four' } };
		documentResult(answer, 'simplified', given);
		expect(given.notices).toEqual(['four']);
	});
});

describe('a page that is an HTTP error', () => {
	it('is the result, with its status', () => {
		const metadata = { statusCode: 404, sourceURL: 'https://a.example/b' };
		const { json } = documentResult({ data: { metadata } }, 'simplified', recordedCall());
		expect(json).toEqual({ metadata });
	});
});
