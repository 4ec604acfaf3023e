import { escapeHtml } from './escapeHtml.cjs';
import type { Host } from './hosts.cjs';
import type { SourcePage } from './pageFiles.cjs';

/** The host's robots.txt. */
export function robotsTxt(host: Host): string {
	return [
		...Object.entries(host.agents).flatMap(([agent, folders]) => group(agent, folders)),
		...group('*', host.disallow),
		`Sitemap: https://${host.name}/sitemap.xml`,
		'',
	].join('\n');
}

/** An empty rule allows everything. */
function group(agent: string, folders: readonly string[]): string[] {
	const rules = folders.length > 0 ? folders : [''];
	return [`User-agent: ${agent}`, ...rules.map((path) => `Disallow: ${path}`.trimEnd()), ''];
}

/** The host's sitemap: its listed pages outside the folders that robots.txt forbids. */
export function sitemapXml(host: Host, ofHost: readonly SourcePage[]): string {
	const entries = ofHost
		.filter(({ page, extras }) => {
			return extras.listed && !host.disallow.some((folder) => page.path.startsWith(folder));
		})
		.map(({ page }) => {
			return `<url><loc>${escapeHtml(page.url)}</loc><lastmod>${page.published}</lastmod></url>`;
		});
	return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
}
