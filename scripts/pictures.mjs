import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { execute, Failure, projectRoot } from './run.mjs';
import { testN8n } from './testN8n.mjs';

const taken = join(projectRoot, '.build/n8n/screenshots');
const kept = join(projectRoot, 'docs/images');

/** Puts a picture into the documentation, with fewer colours where pngquant is installed. */
async function keep(name, as) {
	const [from, to] = [join(taken, name), join(kept, as)];
	mkdirSync(dirname(to), { recursive: true });
	const reduce = ['--force', '--strip', '--output', to, '64', from];
	const reduced = await execute('pngquant', reduce).catch(() => undefined);
	if (reduced !== 0) copyFileSync(from, to);
}

/** Has tests in n8n's editor take their pictures. */
async function take(...tests) {
	if (await testN8n.run({}, tests))
		throw new Failure('The pictures in docs/images stay as they were');
}

/** Every panel in both looks, to be looked at; the documentation does not have them. */
async function takePanels() {
	await take('--testMatch', '**/*.pictures.cjs');
	console.log(`\nThe pictures of all panels are in ${join(taken, 'panels')}`);
}

/** The pictures of the documentation beside the canvas of each example: the name under which a test takes one, and its own. */
const stills = {
	'clicks/search-with-markdown-1-found': 'search-1-found',
	'clicks/search-with-markdown-2-filled': 'search-2-filled',
	'clicks/search-with-markdown-3-results': 'search-3-results',
	'agent-table': 'agent-run',
	trigger: 'trigger',
	'ai-agent': 'ai-agent',
};

async function takeThoseOfTheDocumentation() {
	await take('n8n/pictures.test', 'n8n/clicks.test', 'n8n/editor.test');
	for (const name of readdirSync(join(taken, 'examples'))) {
		await keep(join('examples', name), join('examples', name));
	}
	for (const [still, as] of Object.entries(stills)) await keep(`${still}.png`, `${as}.png`);
}

export const pictures = {
	about: "Takes the pictures of the documentation anew, in n8n's editor.",
	takes: {
		value: '[panels]',
		about: 'every panel instead, light and dark, to be looked at: .build/n8n/screenshots/panels',
		choices: ['panels'],
	},
	run: (_values, [what]) => (what === 'panels' ? takePanels() : takeThoseOfTheDocumentation()),
};
