import { concealer } from '../../../nodes/runtime/conceal';

describe('concealing', () => {
	it('takes every secret out, wherever and however often it stands', () => {
		const conceal = concealer(['fc-key-1', 'hook-secret']);
		expect(conceal('fc-key-1 and hook-secret and fc-key-1')).toBe('*** and *** and ***');
		expect(conceal('nothing here')).toBe('nothing here');
	});

	it('knows the key as it is sent: without the blanks that were pasted with it', () => {
		expect(concealer([' fc-key-1\n'])('Invalid token fc-key-1')).toBe('Invalid token ***');
	});

	it('takes a secret that contains another out as a whole', () => {
		expect(concealer(['fc-key', 'fc-key-long'])('fc-key-long')).toBe('***');
	});

	it.each([[[]], [['']], [['  ']], [[undefined, null, 5]]])(
		'does nothing with the secrets %j',
		(secrets) => {
			expect(concealer(secrets)('a text with 5 words')).toBe('a text with 5 words');
		},
	);
});
