import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import type { Answer, ApiCall, Endpoints } from '../pipeline.cjs';
import { location, optional, parseBody, stamps, url, whole } from '../schemas/fields.cjs';
import { patterns } from '../schemas/jobs.cjs';
import { TextIndex } from '../search/textIndex.cjs';
import type { Site } from '../site/site.cjs';

/** Body of `POST /map`. */
const mapRequest = optional({
	search: z.string(),
	sitemap: z.enum(['only', 'include', 'skip']),
	includeSubdomains: z.boolean(),
	ignoreQueryParameters: z.boolean(),
	ignoreCache: z.boolean(),
	limit: whole(1, 100_000),
	timeout: z.int().positive(),
	location,
	headers: z.record(z.string(), z.string()),
	includePaths: patterns,
	excludePaths: patterns,
	filterByPath: z.boolean(),
	...stamps,
}).extend({ url });

/** `POST /map`. */
export function mapEndpoints(context: Context): Endpoints {
	return { 'POST /v2/map': (call) => map(context, call) };
}

/** The addresses of a site at and below the one that is asked for; those that match `search` come first. */
function map(context: Context, call: ApiCall): Answer {
	const request = parseBody(mapRequest, call.body);
	requireCredits(context, call.team, 1);
	const { site } = context;
	const { filterByPath, search, limit = 5000 } = request;
	const { pathname, hostname } = new URL(request.url);
	const all = site
		.sitemap(request.url)
		.filter((address) => filterByPath === false || new URL(address).pathname.startsWith(pathname))
		.map((address) => described(address, site));
	const best = search ? matching(all, search) : [];
	const links = [...new Set([...best, ...all])].slice(0, limit);
	const id = randomUUID();
	call.charge(1, id);
	const narrow = links.length <= 1 && limit !== 1 && pathname !== '/';
	const warning = `Only ${links.length} result(s) found. For broader coverage, try mapping the base domain: ${hostname}`;
	return { body: { success: true, id, links, ...(narrow && { warning }) } };
}

interface MapLink {
	url: string;
	title?: string;
	description?: string;
}

function described(address: string, site: Site): MapLink {
	const page = site.find(address);
	return { url: address, ...(page && { title: page.title, description: page.description }) };
}

function matching(links: readonly MapLink[], search: string): MapLink[] {
	const textOf = ({ title = '', description = '', ...link }: MapLink) => ({
		...link,
		title,
		description,
	});
	const index = new TextIndex(links, textOf, { url: 3, title: 2, description: 1 });
	return index.search(search).map(({ item }) => item);
}
