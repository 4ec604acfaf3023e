import { textOf } from '../../../../nodes/runtime/api/sentence';
import { mayHaveRun, mayRepeat, defaultConsent } from '../../../../nodes/runtime/api/retry';
import { tlsProblem } from '../../../../nodes/runtime/api/tls';

/** As Node.js words a failed handshake. */
const openSsl = (reason: string) =>
	`write EPROTO 80CC:error:0A00010B:SSL routines:ssl3_get_record:${reason}:../deps/openssl/openssl/ssl/record/ssl3_record.c:350:`;

const beforeSending: Array<[code: string, words: string, told: RegExp, advice: RegExp]> = [
	['DEPTH_ZERO_SELF_SIGNED_CERT', '', /self-signed/, /Ignore SSL Issues.*NODE_EXTRA_CA_CERTS/],
	['SELF_SIGNED_CERT_IN_CHAIN', '', /private authority/, /Ignore SSL Issues.*NODE_EXTRA_CA_CERTS/],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', '', /authority unknown/, /Ignore SSL/],
	['UNABLE_TO_GET_ISSUER_CERT', '', /authority unknown/, /Ignore SSL/],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', '', /authority unknown/, /Ignore SSL/],
	['CERT_HAS_EXPIRED', '', /has expired/, /Renew it.*Ignore SSL/],
	['CERT_NOT_YET_VALID', '', /not valid yet/, /clocks.*Ignore SSL/],
	['CERT_REVOKED', '', /revoked/, /Renew it/],
	['ERR_TLS_CERT_ALTNAME_INVALID', '', /another host name/, /'Base URL'.*Ignore SSL/],
	['HOSTNAME_MISMATCH', '', /another host name/, /'Base URL'/],
	['CERT_UNTRUSTED', '', /cannot be verified/, /Ignore SSL/],
	['INVALID_CA', '', /cannot be verified/, /Ignore SSL/],
	['EPROTO', openSsl('wrong version number'), /no TLS|does not speak TLS/, /http:\/\//],
	['ERR_SSL_WRONG_VERSION_NUMBER', '', /does not speak TLS/, /http:\/\//],
	['ERR_SSL_PACKET_LENGTH_TOO_LONG', '', /does not speak TLS/, /http:\/\//],
	['EPROTO', openSsl('tlsv1 alert protocol version'), /refuses/, /TLS version/],
	['EPROTO', openSsl('sslv3 alert handshake failure'), /refuses/, /TLS version/],
	['ERR_SSL_NO_CIPHERS_AVAILABLE', '', /refuses/, /cipher/],
	['ERR_SSL_UNSUPPORTED_PROTOCOL', '', /refuses/, /TLS version/],
	['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', '', /refuses/, /TLS settings/],
];

describe('a TLS connection that does not come about', () => {
	it.each(beforeSending)('%s %s is told', (code, words, told, advice) => {
		const problem = tlsProblem({ code, message: words });
		expect(problem?.message).toMatch(told);
		expect(textOf(problem?.advice ?? [])).toMatch(advice);
	});

	it.each(beforeSending)('%s %s proves that nothing was sent, and is final', (code, message) => {
		const failure = { networkError: { code, message } };
		expect(mayHaveRun(failure)).toBe(false);
		const consent = { ...defaultConsent, retryUnclearStarts: true };
		for (const safety of ['free', 'mayChargeTwice', 'mayStartTwice', 'idempotencyKey'] as const) {
			expect(mayRepeat(failure, safety, consent)).toBe(false);
		}
	});

	// These can also cut off an answer that was under way.
	it.each([
		['EPROTO', openSsl('decryption failed or bad record mac')],
		['ERR_SSL_UNEXPECTED_EOF_WHILE_READING', 'unexpected eof while reading'],
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', ''],
		['ECONNRESET', 'wrong version number'],
		['ETIMEDOUT', ''],
		['constructor', ''],
	])('%s %s proves nothing', (code, message) => {
		expect(tlsProblem({ code, message })).toBeUndefined();
		expect(mayHaveRun({ networkError: { code, message } })).toBe(true);
	});
});
