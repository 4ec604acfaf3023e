import { parseUrl } from '../../runtime/values/parseUrl';

/** A host's name as it goes over the wire: letters beyond ASCII in Punycode. */
export function asciiHost(name: string): string {
	if (!/[^\0-\x7f]/.test(name) || /[\s/?#@:%\\]/.test(name)) return name;
	return parseUrl(`http://${name}`)?.hostname ?? name;
}
