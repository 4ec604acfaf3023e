import { createHmac } from 'node:crypto';
import { isSigned } from '../../../../nodes/runtime/webhooks/parseWebhook';

const secret = 'whsec-1';
const body = Buffer.from('{"type":"agent.completed","id":"é"}');
const hex = createHmac('sha256', secret).update(body).digest('hex');

describe('A signature', () => {
	it.each([`sha256=${hex}`, ` sha256=${hex}\n`])('is valid as %j', (signature) => {
		expect(isSigned(body, signature, secret)).toBe(true);
	});

	it('is the known value of HMAC-SHA256', () => {
		// RFC 4231, test case 2.
		const known = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
		expect(isSigned(Buffer.from('what do ya want for nothing?'), `sha256=${known}`, 'Jefe')).toBe(
			true,
		);
	});

	it.each<[string, unknown]>([
		['none', undefined],
		['an empty one', ''],
		['one without its kind', hex],
		['one of another kind', `sha1=${hex}`],
		['one cut short', `sha256=${hex.slice(0, -1)}`],
		['one with a tail', `sha256=${hex}0`],
		['one of the same length', `sha256=${'0'.repeat(64)}`],
		['characters of several bytes', `sha256=${'é'.repeat(32)}`],
		['several', [`sha256=${hex}`]],
	])('is invalid with %s', (_, signature) => {
		expect(isSigned(body, signature, secret)).toBe(false);
	});

	it('is invalid for another body or secret', () => {
		expect(isSigned(Buffer.from(`${body.toString()} `), `sha256=${hex}`, secret)).toBe(false);
		expect(isSigned(body, `sha256=${hex}`, 'whsec-2')).toBe(false);
	});
});
