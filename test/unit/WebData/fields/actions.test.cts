import { actions, waitingTime } from '../../../../nodes/WebData/fields/actions';
import { accepted, refusals } from '../../schemaAssertions.cjs';

describe("actions from the editor and in the API's own shape", () => {
	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[
			{ type: 'wait', selector: '', milliseconds: '500' },
			{ type: 'wait', milliseconds: 500 },
		],
		[
			{ type: 'wait', selector: '#more', milliseconds: '' },
			{ type: 'wait', selector: '#more' },
		],
		[
			{ type: 'click', selector: '#more', options: {} },
			{ type: 'click', selector: '#more' },
		],
		[
			{ type: 'click', selector: '.tab', options: { all: false } },
			{ type: 'click', selector: '.tab', all: false },
		],
		[{ type: 'write', text: ' ' }],
		[{ type: 'press', key: 'Enter' }],
		[{ type: 'scroll', selector: '', options: {} }, { type: 'scroll' }],
		[
			{ type: 'scroll', selector: '#box', options: { direction: 'up' } },
			{ type: 'scroll', selector: '#box', direction: 'up' },
		],
		[{ type: 'scrape' }],
		[{ type: 'executeJavascript', script: 'document.title' }],
		[
			{ type: 'screenshot', options: { fullPage: false } },
			{ type: 'screenshot', fullPage: false },
		],
		[{ type: 'pdf' }],
	])('%j', (stored, sent = stored) => {
		expect(accepted(actions.valueSchema, { values: [stored] })).toEqual([sent]);
		expect(accepted(actions.valueSchema, [sent])).toEqual([sent]);
	});
});

describe('actions that are refused', () => {
	it.each<[unknown, string]>([
		[{ type: 'wait' }, `0 needs 'Milliseconds' or 'Selector'`],
		[
			{ type: 'wait', milliseconds: 5, selector: 'a' },
			`0 takes either 'Milliseconds' or 'Selector', not both`,
		],
		[{ type: 'click', selector: '' }, '0 selector is required'],
		[{ type: 'write' }, '0 text is required'],
		[{ type: 'press' }, '0 key is required'],
		[{ type: 'executeJavascript', script: '' }, '0 script is required'],
		[
			{ type: 'hover' },
			'0 type must be one of click, pdf, press, executeJavascript, scrape, screenshot, scroll, wait, write, not hover',
		],
	])('%j', (action, words) => {
		expect(refusals(actions.valueSchema, [action])).toEqual([words]);
	});
});

describe('the time that actions wait', () => {
	it('counts a wait for an element as a second, and nothing else', () => {
		expect(
			waitingTime([
				{ type: 'wait', milliseconds: 2500 },
				{ type: 'wait', selector: '#a' },
				{ type: 'click', selector: '#a' },
				{ type: 'scrape' },
			]),
		).toBe(3500);
		expect(waitingTime([])).toBe(0);
	});
});
