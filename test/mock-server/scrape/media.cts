import type { CheerioAPI } from 'cheerio';

import type { Site } from '../../site/site.cjs';
import { ApiError } from '../errors.cjs';
import { lifetimes, type SignedFiles } from '../signedFiles.cjs';
import { linkedData } from './linkedData.cjs';

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
		return files.add('audio.mp3', lifetimes.media, () => ({
			contentType: 'audio/mpeg',
			body: silence(),
		}));
	}
	const { body, headers } = await site.render(new URL(source, url).href);
	const contentType = headers['content-type'] ?? 'video/mp4';
	return files.add('video.mp4', lifetimes.media, () => ({ contentType, body }));
}

/** A second of silence: MPEG-1 layer III frames of 128 kbit/s at 44.1 kHz, 417 bytes each. */
function silence(): Buffer {
	const frame = Buffer.alloc(417);
	frame.set([0xff, 0xfb, 0x90, 0x00]);
	return Buffer.concat(Array.from({ length: 38 }, () => frame));
}
