import { renderPng } from '../../site/images.cjs';
import { lifetimes, type SignedFiles } from '../signedFiles.cjs';

/** The signed link of a picture of the page: as large as the viewport, four times as high in full. */
export function screenshot(
	files: SignedFiles,
	url: string,
	options: { fullPage?: boolean; viewport?: { width: number; height: number } },
): string {
	const { width, height } = options.viewport ?? { width: 1280, height: 720 };
	const full = options.fullPage ? height * 4 : height;
	return files.add('screenshot.png', lifetimes.screenshot, () => ({
		contentType: 'image/png',
		body: renderPng(width, full, url),
	}));
}
