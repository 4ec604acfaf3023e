import { ValidationFailure, preview, stringSchema } from '../../runtime/form/schema';
import { list } from '../../runtime/form/field';
import { parseUrl } from '../../runtime/values/parseUrl';

/** A hostname in ASCII: other letters become Punycode. */
export function asciiHost(name: string): string {
	if (!/[^\0-\x7f]/.test(name) || /[\s/?#@:%\\]/.test(name)) return name;
	return parseUrl(`http://${name}`)?.hostname ?? name;
}

const hostname = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/**
 * Normalizes scheme, case, trailing slash and non-ASCII letters; rejects a path, query or port,
 * which would be lost silently.
 */
function normalizeDomain(value: string): string | ValidationFailure {
	const bare = value
		.trim()
		.toLowerCase()
		.replace(/^https?:\/\//, '')
		.replace(/\/$/, '');
	if (/[/?#:]/.test(bare)) {
		return new ValidationFailure(
			`must be a domain such as example.com without path or port, not ${preview(value)}`,
		);
	}
	const name = asciiHost(bare);
	return hostname.test(name)
		? name
		: new ValidationFailure(`must be a domain such as example.com, not ${preview(value)}`);
}

/** Hostnames to include or exclude in a search (https://docs.firecrawl.dev/features/search). */
export const domains = (about: { displayName: string; description: string; max?: number }) =>
	list({
		...about,
		entry: stringSchema({ normalize: normalizeDomain }),
		placeholder: 'e.g. example.com, example.org',
	});
