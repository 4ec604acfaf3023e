import { redactor } from '../../../../nodes/runtime/errors/redact';

describe('redacting', () => {
	it('takes every secret out, wherever and however often it stands', () => {
		const redact = redactor(['fc-key-1', 'hook-secret']);
		expect(redact('fc-key-1 and hook-secret and fc-key-1')).toBe('*** and *** and ***');
		expect(redact('nothing here')).toBe('nothing here');
	});

	it('knows the key as it is sent: without the blanks that were pasted with it', () => {
		expect(redactor([' fc-key-1\n'])('Invalid token fc-key-1')).toBe('Invalid token ***');
	});

	it('takes a secret that contains another out as a whole', () => {
		expect(redactor(['fc-key', 'fc-key-long'])('fc-key-long')).toBe('***');
	});

	it.each([[[]], [['']], [['  ']], [[undefined, null, 5]]])(
		'does nothing with the secrets %j',
		(secrets) => {
			expect(redactor(secrets)('a text with 5 words')).toBe('a text with 5 words');
		},
	);

	const secret = 'fc key/ä"\\+=1';

	it.each<[string, string]>([
		['in a URL', encodeURIComponent(secret)],
		['in JSON', JSON.stringify(secret).slice(1, -1)],
	])('takes a secret out %s', (_, written) => {
		expect(redactor([secret])(`50% of ${written}, \\n ${written}%`)).toBe('50% of ***, \\n ***%');
	});

	it.each([
		['', 'base64'],
		['', 'base64url'],
		['a', 'base64'],
		['ab', 'base64'],
		['abc', 'base64url'],
		['Bearer ', 'base64'],
		['user:', 'base64url'],
	] as const)('takes a secret out that stands behind %j in %s', (before, encoding) => {
		const key = 'fc-0123>>>456???789~~~ab';
		for (const after of ['', '!', '!!', '!!!']) {
			const written = Buffer.from(before + key + after).toString(encoding);
			const clean = redactor([key])(`Authorization: Basic ${written}.`);
			expect(clean).toContain('***');
			expect(clean).not.toContain(written);
			// What is left are characters that its neighbours share.
			expect(clean.length).toBeLessThan(45);
		}
	});

	it('takes linear time', () => {
		const key = 'fc-0a1B2c3D4e5F60718293a4b5c6d7e8f9';
		for (const part of ['%25', 'f', 'fc-0a1B2c3D4e5F60718293a4b5c6d7e8f']) {
			const text = part.repeat(300_000);
			expect(redactor([key])(text)).toBe(text);
		}
	});

	it('leaves other escapes as they are', () => {
		const text = 'https://a.example/?q=%22x%22 "\\u00e4\\n" 100 %';
		expect(redactor([secret])(text)).toBe(text);
	});

	it('bears a secret that no address can hold', () => {
		expect(redactor(['half \ud800 character'])('half \ud800 character')).toBe('***');
	});
});
