import { renderErrorPage, renderHtml } from './html.cjs';
import type { Host } from './hosts.cjs';
import { renderPng } from './images.cjs';
import { imageSize } from './markdown.cjs';
import type { SourcePage } from './pageFiles.cjs';
import { renderPdf } from './pdf.cjs';
import { robotsTxt, sitemapXml } from './robots.cjs';
import type { RenderedPage } from './site.cjs';
import { renderMp4 } from './video.cjs';

/** The address names a host that is not part of the site (a browser's "name not resolved"). */
export class UnknownHostError extends Error {
	constructor(readonly host: string) {
		super(`Unknown host: ${host}`);
		this.name = 'UnknownHostError';
	}
}

/** What the host's web server answers to GET `url`; `source` is the page there, if there is one. */
export async function respond(
	url: URL,
	hosts: ReadonlyMap<string, Host>,
	sources: readonly SourcePage[],
	source: SourcePage | undefined,
): Promise<RenderedPage> {
	const host = hosts.get(url.hostname);
	if (!host) throw new UnknownHostError(url.hostname);
	const ofHost = sources.filter(({ page }) => page.host === host.name);
	if (source) return await pageAnswer(host, source, ofHost);

	const path = url.pathname.replace(/\/+$/, '');
	const target = host.redirects[path];
	if (target) return redirectAnswer(new URL(target, url).href);
	const status = host.errors[path];
	if (status) return htmlAnswer(status, renderErrorPage(host, status));
	if (path === '/robots.txt') return textAnswer(200, 'text/plain; charset=utf-8', robotsTxt(host));
	if (path === '/sitemap.xml') {
		return textAnswer(200, 'application/xml; charset=utf-8', sitemapXml(host, ofHost));
	}
	return mediaAnswer(host, path, ofHost) ?? htmlAnswer(404, renderErrorPage(host, 404));
}

const redirectAnswer = (location: string): RenderedPage =>
	textAnswer(301, 'text/plain; charset=utf-8', `Moved to ${location}\n`, { location });

async function pageAnswer(
	host: Host,
	source: SourcePage,
	ofHost: readonly SourcePage[],
): Promise<RenderedPage> {
	const { page } = source;
	if (page.redirect !== undefined) return redirectAnswer(page.redirect);
	if (page.status !== undefined) return htmlAnswer(page.status, renderErrorPage(host, page.status));
	const headers = { 'last-modified': new Date(page.published).toUTCString() };
	if (page.kind !== 'pdf') return htmlAnswer(200, renderHtml(host, source, ofHost), headers);
	return {
		status: 200,
		headers: { 'content-type': 'application/pdf', ...headers },
		body: await renderPdf(page),
	};
}

/** Only what a page of the host shows exists, so a mistyped image address is a 404. */
function mediaAnswer(
	host: Host,
	path: string,
	ofHost: readonly SourcePage[],
): RenderedPage | undefined {
	const url = `https://${host.name}${path}`;
	if (ofHost.some(({ extras }) => extras.video && `/media/${extras.video.name}.mp4` === path)) {
		return { status: 200, headers: { 'content-type': 'video/mp4' }, body: renderMp4() };
	}
	const shown = ofHost.some(({ page }) => page.images.some((image) => image.url === url));
	const size = path === '/favicon.png' ? { width: 32, height: 32 } : shown && imageSize(path);
	if (!size) return undefined;
	return {
		status: 200,
		headers: { 'content-type': 'image/png' },
		body: renderPng(size.width, size.height, url),
	};
}

function htmlAnswer(
	status: number,
	html: string,
	headers: Record<string, string> = {},
): RenderedPage {
	return textAnswer(status, 'text/html; charset=utf-8', html, headers);
}

function textAnswer(
	status: number,
	contentType: string,
	text: string,
	headers: Record<string, string> = {},
): RenderedPage {
	return { status, headers: { 'content-type': contentType, ...headers }, body: Buffer.from(text) };
}
