import { plainFileName, plainMimeType } from '../../../../nodes/runtime/output/files';

describe('A foreign file name', () => {
	it.each<[string, string | undefined]>([
		['fees.pdf', 'fees.pdf'],
		['Gebühren 2026 (neu).pdf', 'Gebühren 2026 (neu).pdf'],
		['料金.pdf', '料金.pdf'],
		['../../etc/passwd', 'passwd'],
		['C:\\fees\\a.pdf', 'a.pdf'],
		['a\r\nSet-Cookie: b.pdf', 'a Set-Cookie: b.pdf'],
		['invoice\u202efdp.exe', 'invoicefdp.exe'],
		['a\u0000b\u200b\u2066.pdf', 'ab.pdf'],
		['a\ud800.pdf', 'a.pdf'],
		['  .hidden  ', '.hidden'],
		['..', undefined],
		['.', undefined],
		['', undefined],
		[' \n ', undefined],
		['a/', undefined],
		[`${'x'.repeat(300)}.html`, `${'x'.repeat(195)}.html`],
		['x'.repeat(300), 'x'.repeat(200)],
		[`a.${'x'.repeat(300)}`, `a.${'x'.repeat(198)}`],
	])('is normalized: %j becomes %j', (given, name) => {
		expect(plainFileName(given)).toBe(name);
	});
});

describe('A foreign MIME type', () => {
	it.each<[unknown, string | undefined]>([
		['image/png', 'image/png'],
		['Image/PNG ; charset=x', 'image/png'],
		['image/svg+xml', 'image/svg+xml'],
		[
			'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
			'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
		],
		['', undefined],
		[undefined, undefined],
		[['text/html'], undefined],
		['png', 'application/octet-stream'],
		['image/', 'application/octet-stream'],
		['image/png\nx', 'application/octet-stream'],
		['image/p ng', 'application/octet-stream'],
		['image/png/x', 'application/octet-stream'],
		[`image/${'x'.repeat(128)}`, 'application/octet-stream'],
	])('is normalized: %j becomes %j', (given, type) => {
		expect(plainMimeType(given)).toBe(type);
	});
});
