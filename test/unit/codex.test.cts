import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../root.cjs';

const nodes = ['WebData', 'WebDataTrigger', 'WebDataSearchTrigger'];

/** What n8n's search looks through: the words under which a node is known. */
const aliases = Object.fromEntries(
	nodes.map((name): [string, string[]] => {
		const file = join(projectRoot, 'nodes', name, `${name}.node.json`);
		const { alias }: { alias: string[] } = JSON.parse(readFileSync(file, 'utf8'));
		return [name, alias];
	}),
);

it.each([
	['firecrawl', nodes],
	['web search', ['WebData', 'WebDataSearchTrigger']],
	['scrape', ['WebData']],
	['crawl', ['WebData']],
	['research', ['WebData']],
	['monitor', ['WebData', 'WebDataTrigger']],
	['website change', ['WebDataTrigger']],
])("n8n's search for %s finds the right nodes", (words, found) => {
	expect(nodes.filter((name) => aliases[name].includes(words))).toEqual(found);
});
