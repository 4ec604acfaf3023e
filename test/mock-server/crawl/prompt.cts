/** Crawl options read out of a sentence; `delayMs` is in milliseconds. */
export interface PromptOptions {
	includePaths?: string[];
	excludePaths?: string[];
	maxDiscoveryDepth?: number;
	crawlEntireDomain?: boolean;
	allowExternalLinks?: boolean;
	allowSubdomains?: boolean;
	sitemap?: 'skip' | 'include';
	ignoreQueryParameters?: boolean;
	delayMs?: number;
	limit?: number;
}

const negative = /\b(skip|ignore|exclud\w*|without|except|not|no|leave out)\b/i;

/**
 * What a wish in plain English means for a crawl. Folders are those given as paths (`/blog`) or named
 * before "pages", "posts", "section" or "folder"; a clause that says no leaves them out.
 */
export function promptOptions(prompt: string): PromptOptions {
	const options: PromptOptions = {};
	for (const clause of prompt.split(/[,.;]\s|\b(?:but|and)\b/i)) {
		const excluded = negative.test(clause);
		for (const folder of foldersIn(clause)) {
			const list = excluded ? 'excludePaths' : 'includePaths';
			options[list] = [...(options[list] ?? []), `^/${folder}(/.*)?$`];
		}
		if (/\bsitemap\b/i.test(clause)) options.sitemap = excluded ? 'skip' : 'include';
		if (/\bsubdomains?\b/i.test(clause)) options.allowSubdomains = !excluded;
		if (/\bexternal\b/i.test(clause)) options.allowExternalLinks = !excluded;
		if (/\b(whole|entire) (site|website|domain)\b/i.test(clause)) {
			options.crawlEntireDomain = !excluded;
		}
		if (/\bquery (parameters?|strings?)\b/i.test(clause)) options.ignoreQueryParameters = excluded;
	}
	const limit = number(prompt, /\b(\d+) (?:\w+ )?(?:pages|posts|articles)\b/i);
	if (limit) options.limit = limit;
	const depth =
		number(prompt, /\bdepth (?:of )?(\d+)/i) ?? number(prompt, /\b(\d+) (?:levels?|clicks?)\b/i);
	if (depth !== undefined) options.maxDiscoveryDepth = depth;
	const seconds = number(prompt, /\b(\d+) seconds?\b/i);
	if (seconds) options.delayMs = seconds * 1000;
	return options;
}

function foldersIn(clause: string): string[] {
	const paths = [...clause.matchAll(/(?:^|\s)\/([\w-]+(?:\/[\w-]+)*)/g)];
	const named = [...clause.matchAll(/(?<![/\w-])([a-z-]{3,}) (?:pages|posts|section|folder)\b/gi)];
	const names = named.map(([, name]) => name.toLowerCase()).filter((name) => !filler.has(name));
	return [...new Set([...paths.map(([, path]) => path), ...names])];
}

const filler = new Set(['all', 'any', 'first', 'most', 'only', 'other', 'the', 'these', 'those']);

function number(text: string, pattern: RegExp): number | undefined {
	const found = pattern.exec(text)?.[1];
	return found === undefined ? undefined : Number(found);
}
