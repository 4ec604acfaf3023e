/** What `n8n-node build` leaves undone; run it afterwards, since that build clears dist. */
const { deepStrictEqual } = require('node:assert');
const { execFileSync } = require('node:child_process');
const { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { basename, dirname, join, relative } = require('node:path');
const { series } = require('gulp');

const manifest = require('./package.json');

const SHIPPED = ['credentials', 'icons', 'nodes', 'package.json'];

/** What a search imports when it runs. */
const SEARCH = [
	'dist/nodes/runtime/execution/execute.js',
	'dist/nodes/WebData/loadResource.js',
	'dist/nodes/WebData/documents/document.js',
	'dist/nodes/WebData/resources/searchPassages.js',
];

/** What a search loads, most of which every operation loads. */
const JOINED = 'dist/nodes/joined.js';

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

/** The modules of dist that node loads for `modules` when `first` are loaded: absolute paths. */
function loadedAfter(first, modules) {
	const load = (files) =>
		files.map((file) => `require(${JSON.stringify(join(__dirname, file))});`).join('');
	const script = `${load(first)}
		const before = new Set(Object.keys(require.cache));
		${load(modules)}
		console.log(JSON.stringify(Object.keys(require.cache).filter((path) => !before.has(path))));`;
	const loaded = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
	return loaded.filter((path) => path.startsWith(join(__dirname, 'dist/')));
}

/**
 * Joins what a search loads beyond what n8n loads when it starts: node reads and compiles one file in half the time
 * of fifty. In the place of each module stays a line that hands on what it exports.
 */
async function joinModules() {
	const modules = loadedAfter([...manifest.n8n.credentials, ...manifest.n8n.nodes], SEARCH);
	const fromJoined = (path) => `./${relative(join(__dirname, dirname(JOINED)), path)}`;
	const functions = modules.map((module) => {
		const code = readFileSync(module, 'utf8')
			.replace(/^\/\/# sourceMappingURL=.*/m, '')
			.replace(/\brequire\((["'])(\..+?)\1\)/g, (call, quote, path) => {
				const imported = require.resolve(join(dirname(module), path));
				const loader = modules.includes(imported) ? 'joined' : 'require';
				return `${loader}(${quote}${fromJoined(imported)}${quote})`;
			});
		// Node compiles a function in parentheses together with the file, any other once more when it is called.
		return `'${fromJoined(module)}': (function (exports) {\n${code}})`;
	});
	writeFileSync(
		JOINED,
		`const loaded = new Map();
function joined(module) {
	if (!loaded.has(module)) {
		loaded.set(module, {});
		modules[module](loaded.get(module));
	}
	return loaded.get(module);
}
const modules = {
${functions.join(',\n')}
};
module.exports = joined;
`,
	);
	for (const module of modules) {
		const file = relative(dirname(module), join(__dirname, JOINED));
		writeFileSync(module, `module.exports = require('${file}')('${fromJoined(module)}');\n`);
		rmSync(`${module}.map`);
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
exports.build = series(prune, compute, joinModules, documentation, check);
exports.cases = cases;
exports.docs = docs;
exports.default = exports.build;
