import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebDataApi } from '../../../../credentials/WebDataApi.credentials';
import { resources } from '../../../../nodes/WebData/resources';
import { adviceFor, noResponse } from '../../../../nodes/runtime/errors/advice';
import { isTlsFailure } from '../../../../nodes/runtime/errors/response';
import { withoutUnit } from '../../../../nodes/runtime/values/text';
import { mayHaveRun, mayRepeat } from '../../../../nodes/runtime/http/retry';
import { projectRoot } from '../../../root.cjs';

const advice = (status: number, body: object = {}) =>
	adviceFor({ status, headers: {}, body: { success: false, ...body } });

/** The display names of everything in a description. */
const namesIn = (described: unknown): string[] =>
	[...JSON.stringify(described).matchAll(/"(?:displayName|name)":"([^"]*)"/g)].flatMap(
		([, name]) => [name, withoutUnit(name)],
	);

describe('The advice about an error', () => {
	it('is another for each status, and some for those that nobody documents', () => {
		const statuses = [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504];
		const each = statuses.map((status) => advice(status));
		expect(new Set(each).size).toBe(statuses.length);
		for (const status of [418, 451, 520, 599]) expect(advice(status)).not.toBe('');
		for (const code of ['constructor', '__proto__', 'SOMETHING_NEW'])
			expect(advice(429, { code })).toBe(advice(429));
	});

	it('is not drawn from words of an address in it', () => {
		for (const page of ['suspended-lamps', 'ip-blocked', 'running-shoes', 'not-supported'])
			expect(advice(400, { error: `Invalid URL: https://shop.example/${page}` })).toBe(advice(400));
	});

	it.each<[number, object, RegExp]>([
		[401, {}, /'API Key'/],
		[404, { code: 'SCRAPE_NO_CACHED_DATA' }, /'minAge'/],
		[408, { code: 'SCRAPE_TIMEOUT' }, /'Timeout'/],
		[500, { error: 'SCRAPE_SSL_ERROR' }, /'skipTlsVerification'/],
		[403, { code: 'THIRD_PARTY_DATA_TERMS_REQUIRED' }, /accept.*terms.*run it again/],
		[500, { code: 'SCRAPE_ALL_ENGINES_FAILED' }, /block.*'Location'/],
		[
			500,
			{ code: 'SCRAPE_ALL_ENGINES_FAILED', error: 'All failed. Engines tried: []. This' },
			/^The server has no engine.*not the site/,
		],
		[200, { code: 'SCRAPE_DNS_RESOLUTION_ERROR' }, /host.*mistyped.*charged/],
		[500, { code: 'SCRAPE_ZDR_VIOLATION_ERROR' }, /end the same way/],
		[500, { code: 'UNKNOWN_ERROR' }, /error ID.*database/],
		[409, { code: 'duplicate_request' }, /'Request ID'/],
		[403, { error: 'We apologize, but we do not support this site.' }, /not supported/],
		[403, { error: 'This website is no longer supported' }, /^The site is not supported/],
		[503, { error: 'Browser feature is not configured (no URL).' }, /hosted service/],
		[501, { error: 'Research service is not configured' }, /hosted service/],
		[429, { error: 'Queue limit reached: 2000 jobs' }, /Wait until jobs/],
		[429, { error: 'You have too many open browser sessions.' }, /'Delete'/],
		[409, { error: 'Idempotency key already used' }, /used before/],
		[410, { error: 'POST /v1/extract is gone' }, /use Page: Scrape or Agent: Run/],
		[200, {}, /see its message/],
	])('of %i %j says what its message does not', (status, body, words) => {
		expect(advice(status, body)).toMatch(words);
	});

	it.each([
		[409, 'Cannot use https://a.example/idempotency key', /used before/],
		[429, 'Scrape https://a.example/?q=You have too many open browser sessions', /'Delete'/],
		[403, 'https://a.example/This website is not supported', /The site is not supported/],
	])('ignores what the message of a %i quotes: %s', (status, error, wrong) => {
		expect(advice(status, { error })).not.toMatch(wrong);
	});

	it('names fields and operations as the editor does', () => {
		const source = readFileSync(join(projectRoot, 'nodes/runtime/errors/advice.ts'), 'utf8');
		const labels = [...source.matchAll(/`[^`]*`/g)].flatMap(([text]) =>
			[...text.matchAll(/'([A-Z][^']*)'/g)].map(([, label]) => label),
		);
		const shown = new Set([...namesIn(resources), ...namesIn(new WebDataApi())]);
		expect(labels.length).toBeGreaterThan(15);
		expect(labels.filter((label) => !shown.has(label))).toEqual([]);
	});
});

describe('A request without a response', () => {
	it.each([
		['ENOTFOUND', /'Base URL'/],
		['EAI_AGAIN', /'Base URL'/],
		['ECONNREFUSED', /Nothing is listening.*'Base URL'/],
		['ECONNRESET', /connection was closed/],
		['ECONNABORTED', /The request timed out/],
		['ERR_TOO_LARGE', /fewer results/],
	])('%s has advice', (code, words) => {
		expect(noResponse({ code, message: code }).advice).toMatch(words);
	});

	/** As Node.js words a failed handshake. */
	const openSsl = (reason: string) =>
		`write EPROTO 80CC:error:0A00010B:SSL routines:ssl3_get_record:${reason}:../deps/openssl/openssl/ssl/record/ssl3_record.c:350:`;

	it.each([
		['DEPTH_ZERO_SELF_SIGNED_CERT', ''],
		['SELF_SIGNED_CERT_IN_CHAIN', ''],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', ''],
		['CERT_HAS_EXPIRED', ''],
		['ERR_TLS_CERT_ALTNAME_INVALID', ''],
		['HOSTNAME_MISMATCH', ''],
		['INVALID_CA', ''],
		['EPROTO', openSsl('wrong version number')],
		['EPROTO', openSsl('sslv3 alert handshake failure')],
		['ERR_SSL_PACKET_LENGTH_TOO_LONG', ''],
		['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', ''],
	])('for want of TLS is final, was never sent, and says how to trust: %s %s', (code, message) => {
		const told = noResponse({ code, message });
		expect(told.message).toBe(`No TLS connection to the server: ${message} (${code})`);
		expect(told.advice).toMatch(/'Base URL'.*http:.*Ignore SSL Issues.*NODE_EXTRA_CA_CERTS/);
		const failure = { networkError: { code, message } };
		expect(mayHaveRun(failure)).toBe(false);
		expect(mayRepeat(failure, 'free')).toBe(false);
	});

	// These can also interrupt a response.
	it.each([
		['EPROTO', openSsl('decryption failed or bad record mac')],
		['ERR_SSL_UNEXPECTED_EOF_WHILE_READING', 'unexpected eof while reading'],
		['ECONNRESET', 'wrong version number'],
	])('may have been sent after %s %s', (code, message) => {
		expect(isTlsFailure({ code, message })).toBe(false);
		expect(mayHaveRun({ networkError: { code, message } })).toBe(true);
	});
});
