import { matters } from '../../../../../nodes/WebData/fields/monitor/events';

it.each<[object, boolean]>([
	[{ isMeaningful: true }, true],
	[{ judgment: { meaningful: true } }, true],
	[{ isMeaningful: false }, false],
	[{ isMeaningful: null, judgment: null }, false],
	[{}, false],
])('recognizes in %j whether a change is meaningful: %s', (entry, expected) => {
	expect(matters('changed', { ...entry })).toBe(expected);
});

it.each<[string, object, boolean]>([
	['new', {}, true],
	['new', { isMeaningful: false }, false],
	['removed', { judgment: { meaningful: false } }, false],
	['error', { isMeaningful: false }, true],
])('lets a page that is %s with %j pass: %s', (event, entry, expected) => {
	expect(matters(event, { ...entry })).toBe(expected);
});
