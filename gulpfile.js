/** What `n8n-node build` leaves undone; run it afterwards, since that build clears dist. */
const { deepStrictEqual } = require('node:assert');
const { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { series } = require('gulp');

const manifest = require('./package.json');

const SHIPPED = ['credentials', 'icons', 'nodes', 'package.json'];

/** n8n's build copies every picture of the checkout, also those of the documentation: only ours ship. */
async function prune() {
	for (const entry of readdirSync('dist')) {
		if (!SHIPPED.includes(entry)) rmSync(join('dist', entry), { recursive: true });
	}
}

/**
 * What a node's module `properties` computes takes its place, so that n8n, which loads every node
 * when it starts, need not load all that it is computed from. Stops the build where JSON cannot hold it.
 */
async function compute() {
	for (const folder of manifest.n8n.nodes.map(dirname)) {
		const file = join(folder, 'properties.js');
		const computed = { ...require(join(__dirname, file)) };
		const json = JSON.stringify(computed);
		deepStrictEqual(JSON.parse(json), computed, `${file} exports more than JSON can hold`);
		writeFileSync(join(folder, 'properties.json'), json);
		rmSync(file);
		rmSync(`${file}.map`);
	}
}

/** The documentation of each node, as n8n shows it: it lies where package.json says. */
async function documentation() {
	const readme = manifest.homepage.replace('#readme', '/blob/main/README.md');
	for (const file of manifest.n8n.nodes) {
		const path = `${file}on`;
		const resources = {
			credentialDocumentation: [{ url: `${readme}#credential` }],
			primaryDocumentation: [{ url: readme }],
		};
		writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), resources }));
	}
}

/** What is wrong with the `icon` of the class built into `file`. */
function iconProblems(icon, file) {
	const pictures = ['light', 'dark'].map((theme) => {
		const reference = icon?.[theme];
		if (!reference?.startsWith('file:')) return { problem: `${file}: no ${theme} icon` };
		const path = join(dirname(file), reference.slice('file:'.length));
		if (!path.endsWith('.svg')) return { problem: `${file}: the ${theme} icon is not an SVG file` };
		if (!existsSync(path)) return { problem: `${file}: the ${theme} icon ${path} does not exist` };
		const svg = readFileSync(path, 'utf8');
		return /<svg[^>]* viewBox=/.test(svg) ? { svg } : { problem: `${path}: no viewBox` };
	});
	const problems = pictures.flatMap(({ problem }) => problem ?? []);
	if (problems.length === 0 && pictures[0].svg === pictures[1].svg) {
		problems.push(`${file}: the light and the dark icon are the same picture`);
	}
	return problems;
}

/** What is wrong with the codex file beside the node built into `file`. */
function codexProblems(description, file) {
	const path = `${file}on`;
	if (!existsSync(path)) return [`${file}: no codex file ${basename(path)} beside it`];
	const codex = JSON.parse(readFileSync(path, 'utf8'));
	const expected = {
		node: codex.node === `${manifest.name}.${description.name}`,
		nodeVersion: typeof codex.nodeVersion === 'string',
		codexVersion: typeof codex.codexVersion === 'string',
		categories: codex.categories?.length > 0,
		alias: codex.alias?.length > 0,
		'resources.primaryDocumentation': codex.resources?.primaryDocumentation?.length > 0,
		'resources.credentialDocumentation': codex.resources?.credentialDocumentation?.length > 0,
	};
	return Object.keys(expected)
		.filter((key) => !expected[key])
		.map((key) => `${path}: ${key} is missing or wrong`);
}

function builtInstance(file) {
	const className = basename(file).split('.')[0];
	return new (require(join(__dirname, file))[className])();
}

/** Every declared node and credential has its light and dark icon, every node its codex. */
async function check() {
	const problems = [
		...manifest.n8n.nodes.flatMap((file) => {
			if (!existsSync(file)) return [`${file}: declared in package.json, not built`];
			const { description } = builtInstance(file);
			return [...iconProblems(description.icon, file), ...codexProblems(description, file)];
		}),
		...manifest.n8n.credentials.flatMap((file) =>
			existsSync(file)
				? iconProblems(builtInstance(file).icon, file)
				: [`${file}: declared in package.json, not built`],
		),
	];
	if (problems.length > 0) {
		const error = new Error(`The built package is not complete:\n  ${problems.join('\n  ')}`);
		error.showStack = false;
		throw error;
	}
}

/** What the editor shows of each operation's items before its first run, every operation and field, and the prices. */
async function docs() {
	await require('./.build/tools/docs/written.cjs').writeDocs();
}

/** Workflows as the editor saves them with this version, what they send and what comes out: one for each operation and trigger. */
async function cases() {
	await require('./.build/test/cases/sets.cjs').writeSet();
}

exports.compute = compute;
exports.check = check;
exports.build = series(prune, compute, documentation, check);
exports.cases = cases;
exports.docs = docs;
exports.default = exports.build;
