import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../root.cjs';
import { creatorWords } from '../n8n/creatorWords.cjs';

const nodes = ['WebData', 'WebDataTrigger', 'WebDataSearchTrigger'];

/** What n8n's search looks through: the words under which a node is known. */
const aliasesOf = (name: string): string[] => {
	const file = join(projectRoot, 'nodes', name, `${name}.node.json`);
	const { alias }: { alias: string[] } = JSON.parse(readFileSync(file, 'utf8'));
	return alias;
};

// n8n shows a trigger below the action node of its package, so that each is looked for by the words of all.
it.each(nodes)('%s is known by every word that people look for', (name) => {
	expect(creatorWords.filter((words) => !aliasesOf(name).includes(words))).toEqual([]);
	expect(aliasesOf(name)).toEqual(aliasesOf('WebData'));
});
