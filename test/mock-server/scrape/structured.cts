import type { CheerioAPI } from 'cheerio';

import type { Site } from '../../site/site.cjs';
import { ApiError } from '../errors.cjs';
import { parseUrl } from '../schemas/fields.cjs';
import { lifetimes, type SignedFiles } from '../signedFiles.cjs';

/** The `branding` format, from the page's head. */
export function branding($: CheerioAPI, url: string): Record<string, unknown> {
	const icon = $('link[rel~="icon"]').attr('href');
	const favicon = icon && parseUrl(icon, url)?.href;
	return {
		colorScheme: 'light',
		brandName: $('meta[property="og:site_name"]').attr('content') ?? new URL(url).hostname,
		images: { favicon },
	};
}

/** The `product` format, from the page's structured data; undefined when it sells nothing. */
export function product($: CheerioAPI, url: string): Record<string, unknown> | undefined {
	const found = linkedData($).Product;
	if (!found) return undefined;
	const { name, brand, category, description, offers } = found;
	return { title: name, brand: brand?.name, category, url, description, variants: offers };
}

/** The `menu` format; `isMenu` is false on pages without one. */
export function menu($: CheerioAPI, url: string): Record<string, unknown> {
	const place = Object.values(linkedData($)).find((item) => item?.hasMenu);
	const { hasMenuSection: sections = [] } = place?.hasMenu ?? {};
	const isMenu = sections.length > 0;
	const merchant = { name: place?.name ?? '' };
	return { isMenu, confidence: isMenu ? 1 : 0, merchant, sections, sourceUrl: url };
}

/** The schema.org fields that the formats read. */
interface LinkedItem {
	'@type'?: string;
	name?: string;
	description?: string;
	category?: string;
	contentUrl?: string;
	brand?: { name?: string };
	offers?: unknown[];
	hasMenu?: { hasMenuSection?: unknown[] };
}

function linkedData($: CheerioAPI): Partial<Record<string, LinkedItem>> {
	const items = $('script[type="application/ld+json"]')
		.toArray()
		.map((script): LinkedItem => JSON.parse($(script).text()));
	return Object.fromEntries(items.map((item) => [item['@type'] ?? '', item]));
}

/** The signed link of the page's sound or moving picture. Throws where the page declares no video. */
export async function media(
	kind: 'audio' | 'video',
	$: CheerioAPI,
	url: string,
	site: Site,
	files: SignedFiles,
): Promise<string> {
	const source = linkedData($).VideoObject?.contentUrl ?? $('video[src]').attr('src');
	if (!source) {
		const code = kind === 'audio' ? 'SCRAPE_AUDIO_UNSUPPORTED_URL' : 'SCRAPE_VIDEO_UNSUPPORTED_URL';
		throw new ApiError(500, { code, error: `The page has no video to take ${kind} from` });
	}
	if (kind === 'audio') {
		return files.add('audio.mp3', lifetimes.media, () => silence);
	}
	const { body, headers } = await site.render(new URL(source, url).href);
	const contentType = headers['content-type'] ?? 'video/mp4';
	return files.add('video.mp4', lifetimes.media, () => ({ contentType, body }));
}

/** The head of a frame of MPEG-1 layer III. */
const silence = { contentType: 'audio/mpeg', body: Buffer.from([0xff, 0xfb, 0x90, 0x00]) };
