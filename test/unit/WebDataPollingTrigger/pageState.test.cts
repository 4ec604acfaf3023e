import {
	pageStateIn,
	toStored,
	transition,
	type Observation,
	type PageState,
	type Rules,
} from '../../../nodes/WebDataPollingTrigger/pageState';

const rules: Rules = {
	at: '2026-01-02T00:00:00.000Z',
	errorsInRow: 2,
	maxContent: 10,
	changedContent: (_retained, content) => content,
};
const up = (content: string): Observation => ({ is: 'up', content });
const failed: Observation = { is: 'failed', error: 'HTTP 500' };
const gone: Observation = { is: 'gone' };

/** The changes that a page makes by these observations, one list for each. */
function changesOf(...seen: Observation[]): string[][] {
	let state: PageState | undefined;
	return seen.map((each) => {
		const { next, changes } = transition(pageStateIn(state && toStored(state)), each, rules);
		state = next;
		return changes;
	});
}

describe('A page', () => {
	it.each<[string, Observation[], string[][]]>([
		['is new once', [up('a'), up('a')], [['new'], []]],
		['changes', [up('a'), up('b'), up('b')], [['new'], ['changed'], []]],
		['vanishes and appears', [up('a'), gone, gone, up('a')], [['new'], ['removed'], [], ['new']]],
		['fails after two in a row', [up('a'), failed, failed, failed], [['new'], [], ['failed'], []]],
		['does not fail after one', [up('a'), failed, up('a'), failed], [['new'], [], [], []]],
		['recovers', [up('a'), failed, failed, up('a')], [['new'], [], ['failed'], ['recovered']]],
		[
			'recovers with a change',
			[up('a'), failed, failed, up('b')],
			[['new'], [], ['failed'], ['recovered', 'changed']],
		],
		['changes between failures', [up('a'), failed, up('b')], [['new'], [], ['changed']]],
		['is new after failing at first', [failed, up('a'), up('b')], [[], ['new'], ['changed']]],
	])('%s', (_name, seen, expected) => {
		expect(changesOf(...seen)).toEqual(expected);
	});

	it('is compared with the last content that counted', () => {
		const first = transition(undefined, up('10'), rules).next;
		const small: Rules = {
			...rules,
			changedContent: (retained, content) =>
				Number(content) - Number(retained) > 2 ? content : undefined,
		};
		const second = transition(first, up('12'), small).next;

		expect(second.retained).toBe('10');
		expect(transition(second, up('13'), small).changes).toEqual(['changed']);
	});

	it('is unchanged while its content is, though what is compared would be too long', () => {
		const long: Rules = { ...rules, changedContent: (_retained, content) => content.repeat(11) };
		const first = transition(undefined, up('a'), long).next;
		const second = transition(first, up('b'), long).next;

		expect(second).not.toHaveProperty('retained');
		expect(transition(second, up('b'), long).changes).toEqual([]);
	});

	it('retains no content beyond its limit', () => {
		expect(transition(undefined, up('12345678901'), rules).next).not.toHaveProperty('retained');
	});

	it.each([[undefined], ['text'], [{ is: 'else', at: '' }], [{ is: 'up' }]])(
		'has no state in %j',
		(stored) => {
			expect(pageStateIn(stored)).toBeUndefined();
		},
	);
});
