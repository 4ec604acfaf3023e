import { redactor } from '../../../../nodes/runtime/api/redact';

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
	const redact = redactor([secret]);

	it.each<[string, string]>([
		['as an address writes it', encodeURIComponent(secret)],
		['in small letters', encodeURIComponent(secret).toLowerCase()],
		['in letters of both kinds', encodeURIComponent(secret).replace('%C3', '%c3')],
		['in part', encodeURI(secret)],
		['as JSON writes it', JSON.stringify(secret).slice(1, -1)],
		['as JSON of ASCII writes it', JSON.stringify(secret).slice(1, -1).replace('ä', '\\u00e4')],
		['with its slash escaped', JSON.stringify(secret).slice(1, -1).replace('/', '\\/')],
	])('takes a secret out %s', (_, written) => {
		expect(redact(`50% of ${written}, \\n ${written}%`)).toBe('50% of ***, \\n ***%');
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

	const key = 'fc-0a1B2c3D4e5F60718293a4b5c6d7e8f9';
	const entities = (base: 10 | 16) =>
		[...key]
			.map((sign) => `&#${base === 16 ? 'x' : ''}${sign.charCodeAt(0).toString(base)};`)
			.join('');
	const percent = [...key].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');

	it.each<[string, string]>([
		['percent, twice', encodeURIComponent(percent)],
		['percent, three times', encodeURIComponent(encodeURIComponent(percent))],
		['percent in JSON', percent.replaceAll('%', '\\u0025')],
		['JSON of JSON', JSON.stringify(JSON.stringify(key.replace('-', '\\u002d')))],
		['entities in decimals', entities(10)],
		['entities in hexadecimals', entities(16).toUpperCase()],
		['entities without their ends', entities(10).replaceAll(';', '')],
		['an entity by its name', key.replace('-', '&hyphen;')],
		['entities in entities', entities(10).replaceAll('&', '&amp;')],
		[
			'escapes of a program',
			[...key].map((sign) => `\\x${sign.charCodeAt(0).toString(16)}`).join(''),
		],
		['code points', [...key].map((sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`).join('')],
		['hexadecimals', Buffer.from(key).toString('hex')],
		['hexadecimals in capitals', Buffer.from(key).toString('hex').toUpperCase()],
		['hexadecimals with blanks', Buffer.from(key).toString('hex').replace(/../g, '$& ')],
		['hexadecimals with colons', Buffer.from(key).toString('hex').replace(/../g, '$&:')],
		['the bytes of a buffer', JSON.stringify(Buffer.from(key))],
		['blanks between its characters', [...key].join(' ')],
		['line breaks', `${key.slice(0, 10)}\n  ${key.slice(10)}`],
		['characters of no width', [...key].join('\u200b')],
		['capitals', key.toUpperCase()],
		['base64 in lines', Buffer.from(key).toString('base64').replace(/.{16}/g, '$&\n')],
		['base64 in an address', encodeURIComponent(Buffer.from(`${key}:`).toString('base64'))],
	])('takes a key out in %s', (_, written) => {
		const clean = redactor([key])(`Token ${written} is unknown, ${written}`);
		expect(clean).toMatch(/^Token .{0,30}\*\*\*.{0,10} is unknown, .{0,30}\*\*\*.{0,10}$/s);
	});

	it('leaves what looks like a part of it, and prose around it', () => {
		const texts = [
			key.slice(0, 20),
			Buffer.from(key).toString('hex').slice(0, 40),
			'a b\nc &amp; d',
		];
		for (const text of texts) expect(redactor([key, 'word'])(text)).toBe(text);
		expect(redactor(['word'])('two or d are no w o r d')).toBe('two or d are no w o r d');
	});

	it.each(['%25', '&amp;', '\\\\', ' ', '&#', 'f ', '6'])(
		'reads a text of %j in linear time',
		(part) => {
			// A square of this would take minutes: the test's own limit of time is what fails.
			const text = part.repeat(300_000);
			expect(redactor([key])(text)).toBe(text);
		},
	);

	it('leaves other escapes as they are', () => {
		const text = 'https://a.example/?q=%22x%22 "\\u00e4\\n" 100 %';
		expect(redact(text)).toBe(text);
	});

	it('bears a secret that no address can hold', () => {
		expect(redactor(['half \ud800 character'])('half \ud800 character')).toBe('***');
	});
});
