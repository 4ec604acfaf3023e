import { list, Refusal, shown, text, type ListLimits } from '../../runtime/contract';
import { parseUrl } from '../../runtime/parseUrl';

/** A host's name with a top-level domain, as it goes over the wire: in ASCII, with no empty or overlong part. */
const domain =
	/^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Whether a page can be there: an IP address or a name with a top-level domain; a server on this machine may read its own. */
const isHost = (hostname: string) =>
	domain.test(hostname) ||
	hostname === 'localhost' ||
	hostname.startsWith('[') ||
	/^\d+(\.\d+){3}$/.test(hostname);

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
	return isHost(hostname)
		? given
		: new Refusal(`must have a host such as example.com, not ${shown(given)}`);
}

export const url = () => text({ mend: mendUrl });

/** Between addresses in a text: white space or a comma, but not a comma that belongs to an address. */
const betweenUrls = /\s+|,(?=\s|https?:\/\/|$)/;

/** Pages' addresses, as a list or as text with commas or new lines between them. */
export const urls = (limits: ListLimits = {}) => list(url(), { ...limits, separator: betweenUrls });

/** As `urls`, each as it is given: for requests in which the service itself leaves out the invalid ones. */
export const uncheckedUrls = (limits: ListLimits = {}) =>
	list(text(), { ...limits, separator: betweenUrls });
