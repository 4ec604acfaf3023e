import { forUser, type Advice } from './sentence';

/**
 * A failure to establish a TLS connection. It proves that the request was never sent, and no retry
 * repairs it. The codes are Node.js's
 * (https://nodejs.org/api/tls.html#x509-certificate-error-codes) and OpenSSL's.
 */
export interface TlsProblem {
	/** The problem, as a predicate of the server. */
	message: string;
	advice: Advice;
}

const trust = `If you trust this server, turn 'Ignore SSL Issues (Insecure)' on in the credential, or make n8n trust its certificate (NODE_EXTRA_CA_CERTS; see custom certificates in n8n's documentation).`;

const certificate = (message: string, remedy?: string): TlsProblem => ({
	message: `has a certificate that ${message}`,
	advice: [forUser(remedy === undefined ? trust : `${remedy} ${trust}`)],
});

const selfSigned = certificate('is self-signed or signed by a private authority');
const unknownIssuer = certificate('comes from an authority unknown to n8n');
const otherName = certificate('is for another host name', `Enter its host name in 'Base URL'.`);
const unverifiable = certificate('cannot be verified');

const byCode: Readonly<Record<string, TlsProblem>> = {
	CERT_HAS_EXPIRED: certificate('has expired', 'Renew it.'),
	CERT_NOT_YET_VALID: certificate('is not valid yet', 'Check the clocks of both machines.'),
	CERT_REVOKED: certificate('was revoked', 'Renew it.'),
	DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
	ERR_TLS_CERT_ALTNAME_INVALID: otherName,
	HOSTNAME_MISMATCH: otherName,
	SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
	UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
};

/** OpenSSL's other certificate errors. All precede sending. */
const rejected = new Set([
	'CA_MD_TOO_WEAK',
	'CERT_CHAIN_TOO_LONG',
	'CERT_REJECTED',
	'CERT_SIGNATURE_FAILURE',
	'CERT_UNTRUSTED',
	'CRL_HAS_EXPIRED',
	'CRL_NOT_YET_VALID',
	'CRL_SIGNATURE_FAILURE',
	'ERROR_IN_CERT_NOT_AFTER_FIELD',
	'ERROR_IN_CERT_NOT_BEFORE_FIELD',
	'ERROR_IN_CRL_LAST_UPDATE_FIELD',
	'ERROR_IN_CRL_NEXT_UPDATE_FIELD',
	'ERR_TLS_CERT_ALTNAME_FORMAT',
	'INVALID_CA',
	'INVALID_PURPOSE',
	'PATH_LENGTH_EXCEEDED',
	'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
	'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
	'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
	'UNABLE_TO_GET_CRL',
]);

/** Reasons of a failed handshake. Others, such as a bad record, can also interrupt a response. */
const handshakeReasons = [
	'alert access denied',
	'alert bad certificate',
	'alert certificate',
	'alert decrypt error',
	'alert handshake failure',
	'alert inappropriate fallback',
	'alert insufficient security',
	'alert no renegotiation',
	'alert protocol version',
	'alert unknown ca',
	'alert unrecognized name',
	'alert unsupported certificate',
	'bad ecpoint',
	'dh key too small',
	'ee key too small',
	'http request',
	'no ciphers available',
	'no protocols available',
	'no shared cipher',
	'no suitable',
	'packet length too long',
	'unknown protocol',
	'unsafe legacy renegotiation disabled',
	'unsupported protocol',
	'version too low',
	'wrong signature type',
	'wrong ssl version',
	'wrong version number',
];

/** Reasons with a server without TLS on this port. */
const plainServer = ['wrong version number', 'packet length too long', 'http request'];

const isOpenSsl = (code: string) => code === 'EPROTO' || code.startsWith('ERR_SSL_');

/** The problem of a TLS connection; undefined for any other failure. */
export function tlsProblem({
	code,
	message,
}: {
	code: string;
	message: string;
}): TlsProblem | undefined {
	if (Object.hasOwn(byCode, code)) return byCode[code];
	if (rejected.has(code)) return unverifiable;
	if (!isOpenSsl(code)) return undefined;
	const text = `${code} ${message}`.slice(0, 1000).toLowerCase().replaceAll('_', ' ');
	if (!handshakeReasons.some((reason) => text.includes(reason))) return undefined;
	return plainServer.some((reason) => text.includes(reason))
		? {
				message: 'does not speak TLS on this port',
				advice: [
					forUser(`If it has no TLS, begin 'Base URL' with http://; else correct the port.`),
				],
			}
		: {
				message: 'refuses the TLS connection, or n8n does',
				advice: [
					forUser(
						`Both must know a common TLS version and cipher. Check 'Base URL' in the credential and the server's TLS settings.`,
					),
				],
			};
}
