import { UnknownHostError } from '../../site/site.cjs';
import type { Context } from '../context.cjs';
import { notFound } from '../errors.cjs';
import type { Answer, OpenEndpoint } from '../pipeline.cjs';
import { parseUrl } from '../parseUrl.cjs';

/** The small web, for eyes and browsers: `/site/<host>/<path>`. */
export function siteEndpoints(context: Context): OpenEndpoint[] {
	return [
		{
			method: 'GET',
			path: '/site/*',
			open: ({ params }) => sitePage(context, `https://${params['*']}`),
		},
	];
}

/** What the small web answers at an address. */
export async function sitePage(context: Context, url: string): Promise<Answer> {
	if (!parseUrl(url)) throw notFound();
	try {
		const delay = context.site.find(url)?.delayMs;
		if (delay) await context.clock.wait(delay);
		const { status, headers, body } = await context.site.render(url);
		return { status, headers, body };
	} catch (error) {
		if (error instanceof UnknownHostError) throw notFound();
		throw error;
	}
}
