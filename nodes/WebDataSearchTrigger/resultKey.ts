import type { IDataObject } from 'n8n-workflow';
import { parseUrl } from '../runtime/parseUrl';

/** Query parameters that say where a visitor came from, not what the page is. */
const tracking = /^(utm_\w+|gclid|dclid|fbclid|msclkid|mc_[ce]id|igshid|ref|ref_src|spm|yclid)$/i;

/**
 * One form for the addresses under which a page is found: without scheme, www, fragment, tracking
 * parameters, order of parameters and closing slash.
 */
export function canonicalUrl(url: string): string {
	const parsed = parseUrl(url);
	if (!parsed) return url.trim();
	const { host, pathname, searchParams } = parsed;
	const parameters = [...searchParams]
		.filter(([name]) => !tracking.test(name))
		.map(([name, value]) => `${name}=${value}`)
		.sort();
	const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
	return host.replace(/^www\./, '') + pathname.replace(/\/+$/, '') + query;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** By what a result is known again: a paper by its ID, a tool by its name, an image by its file, anything else by its address. */
export function resultKey(result: IDataObject): string {
	const { paperId, source, imageUrl, url, provider, capability } = result;
	if (text(paperId) !== undefined) return `paper ${String(paperId)}`;
	const image = source === 'images' ? text(imageUrl) : undefined;
	const address = image ?? text(url);
	if (address !== undefined) return canonicalUrl(address);
	if (text(provider) !== undefined) return `tool ${String(provider)}/${String(capability)}`;
	return JSON.stringify(result);
}
