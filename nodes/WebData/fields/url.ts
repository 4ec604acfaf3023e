import { Refusal, shown, text } from '../../runtime/contract';
import { parseUrl } from '../../runtime/parseUrl';

/** A page's address. A missing scheme is completed as the service does (addendum 0, URL fields). */
function mendUrl(value: string): string | Refusal {
	const given = value.trim();
	// example.com:8080 has a port, mailto:someone@example.com a scheme.
	const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(given);
	const address = hasScheme ? given : `http://${given}`;
	const parsed = parseUrl(address);
	if (!parsed) return new Refusal(`must be an address, not ${shown(given)}`);
	const { protocol, hostname } = parsed;
	if (protocol !== 'http:' && protocol !== 'https:') {
		return new Refusal(`must start with http:// or https://, not ${protocol}`);
	}
	const hasHost = /\./.test(hostname) || hostname.startsWith('[') || hostname === 'localhost';
	return hasHost ? given : new Refusal(`must have a host such as example.com, not ${shown(given)}`);
}

export const url = () => text({ mend: mendUrl });
