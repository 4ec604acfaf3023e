import { noResponse } from '../../../../nodes/runtime/errors/advice';
import { isTlsFailure } from '../../../../nodes/runtime/errors/response';
import { mayHaveRun, mayRepeat } from '../../../../nodes/runtime/http/retry';

/** As Node.js words a failed handshake. */
const openSsl = (reason: string) =>
	`write EPROTO 80CC:error:0A00010B:SSL routines:ssl3_get_record:${reason}:../deps/openssl/openssl/ssl/record/ssl3_record.c:350:`;

const beforeSending: Array<[code: string, words: string]> = [
	['DEPTH_ZERO_SELF_SIGNED_CERT', ''],
	['SELF_SIGNED_CERT_IN_CHAIN', ''],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ''],
	['UNABLE_TO_GET_ISSUER_CERT', ''],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', ''],
	['CERT_HAS_EXPIRED', ''],
	['CERT_NOT_YET_VALID', ''],
	['CERT_REVOKED', ''],
	['ERR_TLS_CERT_ALTNAME_INVALID', ''],
	['HOSTNAME_MISMATCH', ''],
	['CERT_UNTRUSTED', ''],
	['INVALID_CA', ''],
	['EPROTO', openSsl('wrong version number')],
	['ERR_SSL_WRONG_VERSION_NUMBER', ''],
	['ERR_SSL_PACKET_LENGTH_TOO_LONG', ''],
	['EPROTO', openSsl('tlsv1 alert protocol version')],
	['EPROTO', openSsl('sslv3 alert handshake failure')],
	['ERR_SSL_NO_CIPHERS_AVAILABLE', ''],
	['ERR_SSL_UNSUPPORTED_PROTOCOL', ''],
	['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', ''],
];

describe('a TLS connection that does not come about', () => {
	it.each(beforeSending)('%s %s names its code, and how to trust the server', (code, message) => {
		const told = noResponse({ code, message });
		expect(told.message).toBe(`No TLS connection to the server: ${message} (${code})`);
		expect(told.advice).toMatch(/'Base URL'.*http:.*Ignore SSL Issues.*NODE_EXTRA_CA_CERTS/);
	});

	it.each(beforeSending)('%s %s proves that nothing was sent, and is final', (code, message) => {
		const failure = { networkError: { code, message } };
		expect(mayHaveRun(failure)).toBe(false);
		for (const safety of ['free', 'mayChargeTwice', 'mayStartTwice', 'idempotencyKey'] as const) {
			expect(mayRepeat(failure, safety)).toBe(false);
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
		expect(isTlsFailure({ code, message })).toBe(false);
		expect(mayHaveRun({ networkError: { code, message } })).toBe(true);
	});
});
