import { parseUrl } from '../../runtime/values/parseUrl';

/** A hostname in ASCII: other letters become Punycode. */
export function asciiHost(name: string): string {
	if (!/[^\0-\x7f]/.test(name) || /[\s/?#@:%\\]/.test(name)) return name;
	return parseUrl(`http://${name}`)?.hostname ?? name;
}
