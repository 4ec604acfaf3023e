/** A host's robots.txt, as far as it concerns one crawler. */
export interface Robots {
	/** Whether the crawler may open a path. */
	allows(path: string): boolean;
	/** Addresses of the host's sitemaps. */
	sitemaps: string[];
}

interface Group {
	agents: string[];
	rules: Array<{ allow: boolean; path: string }>;
}

/** Reads a robots.txt: the group of the user agent, else that of `*`; the longest rule wins. */
export function readRobots(text: string, userAgent: string): Robots {
	const groups: Group[] = [];
	const sitemaps: string[] = [];
	let open: Group | undefined;
	for (const line of text.split('\n')) {
		const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
		const given = value.trim();
		switch (name.toLowerCase()) {
			case 'user-agent':
				if (!open || open.rules.length > 0) groups.push((open = { agents: [], rules: [] }));
				open.agents.push(given.toLowerCase());
				break;
			case 'allow':
			case 'disallow':
				open?.rules.push({ allow: name.toLowerCase() === 'allow', path: given });
				break;
			case 'sitemap':
				sitemaps.push(given);
		}
	}
	const agent = userAgent.toLowerCase();
	const own = groups.find(({ agents }) =>
		agents.some((each) => each !== '*' && agent.includes(each)),
	);
	const rules = (own ?? groups.find(({ agents }) => agents.includes('*')))?.rules ?? [];
	const allows = (path: string): boolean =>
		rules
			.filter((rule) => rule.path !== '' && path.startsWith(rule.path))
			.sort((a, b) => b.path.length - a.path.length)[0]?.allow ?? true;
	return { allows, sitemaps };
}
