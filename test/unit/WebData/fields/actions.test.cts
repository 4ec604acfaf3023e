import { actions, waitingTime } from '../../../../nodes/WebData/fields/actions';
import { accepted, refusals } from '../../schemaAssertions.cjs';

describe("actions from the editor and in the API's own shape", () => {
	it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
		[
			'wait for a time',
			{ type: 'wait', selector: '', milliseconds: '500' },
			{ type: 'wait', milliseconds: 500 },
		],
		[
			'wait for an element',
			{ type: 'wait', selector: '#more', milliseconds: '' },
			{ type: 'wait', selector: '#more' },
		],
		[
			'click',
			{ type: 'click', selector: '#more', options: {} },
			{ type: 'click', selector: '#more' },
		],
		[
			'click all',
			{ type: 'click', selector: '.tab', options: { all: true } },
			{ type: 'click', selector: '.tab', all: true },
		],
		[
			'click one, said so',
			{ type: 'click', selector: '.tab', options: { all: false } },
			{ type: 'click', selector: '.tab', all: false },
		],
		['write', { type: 'write', text: 'high tide' }, { type: 'write', text: 'high tide' }],
		['write a blank', { type: 'write', text: ' ' }, { type: 'write', text: ' ' }],
		['press', { type: 'press', key: 'Enter' }, { type: 'press', key: 'Enter' }],
		['scroll', { type: 'scroll', selector: '', options: {} }, { type: 'scroll' }],
		[
			'scroll up in a box',
			{ type: 'scroll', selector: '#box', options: { direction: 'up' } },
			{ type: 'scroll', selector: '#box', direction: 'up' },
		],
		['scrape', { type: 'scrape' }, { type: 'scrape' }],
		[
			'executeJavascript',
			{ type: 'executeJavascript', script: 'document.title' },
			{ type: 'executeJavascript', script: 'document.title' },
		],
		[
			'screenshot',
			{
				type: 'screenshot',
				options: { fullPage: false },
			},
			{ type: 'screenshot', fullPage: false },
		],
		[
			'pdf',
			{ type: 'pdf', options: { format: 'Tabloid', landscape: false, scale: '0.5' } },
			{ type: 'pdf', format: 'Tabloid', landscape: false, scale: 0.5 },
		],
	])('%s', (_, stored, sent) => {
		expect(accepted(actions.valueSchema, { values: [stored] })).toEqual([sent]);
		expect(accepted(actions.valueSchema, [sent])).toEqual([sent]);
	});

	it('keep their order', () => {
		const given = [
			{ type: 'write', text: 'a' },
			{ type: 'press', key: 'Tab' },
			{ type: 'write', text: 'b' },
		];
		expect(accepted(actions.valueSchema, given)).toEqual(given);
	});

	it('by expression in Type, with the untouched fields of the other actions beside it', () => {
		const entry = {
			type: 'scrape',
			selector: '',
			milliseconds: '',
			text: '',
			key: '',
			script: '',
			options: {},
		};
		expect(accepted(actions.valueSchema, { values: [entry] })).toEqual([{ type: 'scrape' }]);
	});
});

describe('actions that are refused', () => {
	it.each<[string, unknown, string]>([
		['a PDF of no size', { type: 'pdf', scale: 0 }, '0 scale must be more than 0'],
		['a wait for neither', { type: 'wait' }, `0 needs 'Milliseconds' or 'Selector'`],
		[
			'a wait for both',
			{ type: 'wait', milliseconds: 5, selector: 'a' },
			`0 takes either 'Milliseconds' or 'Selector', not both`,
		],
		['a click without selector', { type: 'click', selector: '' }, '0 selector is required'],
		['a write without text', { type: 'write' }, '0 text is required'],
		['a press without key', { type: 'press' }, '0 key is required'],
		['a script without text', { type: 'executeJavascript', script: '' }, '0 script is required'],
		[
			'an unknown type',
			{ type: 'hover' },
			'0 type must be one of click, pdf, press, executeJavascript, scrape, screenshot, scroll, wait, write, not hover',
		],
	])('%s', (_, action, words) => {
		expect(refusals(actions.valueSchema, [action])).toEqual([words]);
	});

	it('members of another action', () => {
		expect(actions.valueSchema.safeParse([{ type: 'scrape', selector: 'a' }]).success).toBe(false);
		expect(
			actions.valueSchema.safeParse([{ type: 'wait', milliseconds: 5, all: true }]).success,
		).toBe(false);
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
