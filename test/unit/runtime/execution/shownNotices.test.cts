import { shownNotices } from '../../../../nodes/runtime/execution/shownNotices';

describe('The notices of an execution', () => {
	const asTheyAre = (text: string) => text;

	it('are unchanged if they are few and short', () => {
		expect(shownNotices(new Set(['One.', 'Two.']), asTheyAre)).toEqual(['One.', 'Two.']);
	});

	it('are truncated to 1,000 characters after redaction', () => {
		const secret = 'fc-secret';
		const notice = `${'w'.repeat(995)}${secret}${'w'.repeat(1_000_000)}`;
		const redact = (text: string) => text.replaceAll(secret, '***');

		expect(shownNotices(new Set([notice]), redact)).toEqual([`${'w'.repeat(995)}***ww…`]);
	});

	it('are limited to 100, with the number of the others', () => {
		const many = new Set(Array.from({ length: 130 }, (_, place) => `Notice ${place}`));

		const shown = shownNotices(many, asTheyAre);

		expect(shown).toHaveLength(101);
		expect(shown.at(-1)).toBe('… and 30 more notices.');
	});
});
