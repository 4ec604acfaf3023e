import { UnknownHostError, type Site } from '../../site/site.cjs';

/** Reads a text file of a site; undefined when there is none. */
export type ReadText = (url: string) => Promise<string | undefined>;

/** Reads robots.txt and sitemaps of the small web. */
export function siteTexts(site: Site): ReadText {
	return async (url) => {
		try {
			const { status, body } = await site.render(url);
			return status === 200 ? body.toString('utf8') : undefined;
		} catch (error) {
			if (error instanceof UnknownHostError) return undefined;
			throw error;
		}
	};
}
