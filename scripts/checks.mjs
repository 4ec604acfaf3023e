import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import ts from 'typescript';

import { ensureKit, kitFolder } from './install.mjs';
import { packPackage } from './n8n.mjs';
import { Failure, execute, projectRoot } from './run.mjs';

/** Programs that only the checks use, installed outside the checkout. */
const KIT = 'tools/checks';

/** Makes sure that they are installed. */
export const ensureChecks = () => ensureKit(KIT, { cost: 'about 250 MB, kept for later runs' });

/** Finds their modules. */
const requireOfKit = () => createRequire(join(kitFolder(KIT), 'package.json'));

/** Finds files, exports and dependencies that nothing uses. Resolves with an exit code. */
export const findDeadCode = () =>
	execute(process.execPath, [join(kitFolder(KIT), 'node_modules/knip/bin/knip.js')], {
		quiet: true,
	});

const SCANNER = '@n8n/scan-community-package';
const BESIDE_DIST = ['package.json', 'README.md', 'LICENSE'];
const RUNTIME_LISTS = [
	'dependencies',
	'optionalDependencies',
	'bundleDependencies',
	'bundledDependencies',
	'overrides',
];

/** Packs the checkout as npm would publish it and unpacks the tarball below `folder`. */
async function packAndUnpack(folder) {
	const tarball = await packPackage(folder);
	const unpacked = join(folder, 'tarball');
	mkdirSync(unpacked);
	const extracted = await execute('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	if (extracted !== 0) throw new Failure('The tarball could not be unpacked with tar');
	return unpacked;
}

/** What is wrong with the published package as such: its files and its declared dependencies. */
function packageErrors(unpacked) {
	const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
	const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(unpacked, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
	const declared = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	return [
		...files
			.filter((file) => !file.startsWith('dist/') && !BESIDE_DIST.includes(file))
			.map((file) => `${file}: does not belong in the tarball`),
		...[...BESIDE_DIST, ...declared]
			.filter((file) => !files.includes(file))
			.map((file) => `${file}: missing from the tarball`),
		...RUNTIME_LISTS.filter((list) => list in manifest).map(
			(list) => `package.json: "${list}" is not allowed in a verified package`,
		),
	];
}

/** Lints the source with the newest community rules, which the scanner pins an older release of. */
async function newestRuleErrors() {
	// The scanner's own ESLint and parser, so that both legs judge with the same engine.
	const { resolve } = createRequire(requireOfKit().resolve(`${SCANNER}/package.json`));
	const { ESLint } = await import(pathToFileURL(resolve('eslint')).href);
	const { default: parser } = await import(
		pathToFileURL(resolve('@typescript-eslint/parser')).href
	);
	const { n8nCommunityNodesPlugin } = await import('@n8n/eslint-plugin-community-nodes');
	const eslint = new ESLint({
		cwd: projectRoot,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: [
			n8nCommunityNodesPlugin.configs.recommended,
			{ files: ['**/*.ts', '**/*.json'], languageOptions: { parser } },
		].flat(),
	});
	const results = await eslint.lintFiles(['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json']);
	return results.flatMap(({ filePath, messages }) =>
		messages
			.filter(({ severity }) => severity === 2)
			.map(
				({ line, column, ruleId, message }) =>
					`${relative(projectRoot, filePath)}:${line}:${column}  ${ruleId}  ${message}`,
			),
	);
}

/** Everything n8n's reviewers check, without the network. Resolves with an exit code. */
export async function scan() {
	const folder = mkdtempSync(join(tmpdir(), 'web-data-scan-'));
	// The scanner makes a temporary folder when it is imported and leaves it behind: here it goes with ours.
	process.env.TMPDIR = folder;
	try {
		const { SOURCE_FILE_PATTERNS, analyzePackage } = await import(
			pathToFileURL(
				join(dirname(requireOfKit().resolve(`${SCANNER}/package.json`)), 'scanner/scanner.mjs'),
			).href
		);
		const analyse = async (directory, patterns) => {
			const { passed, message, details } = await analyzePackage(directory, patterns);
			return passed ? [] : [(details ?? message).replaceAll(`${directory}${sep}`, '').trim()];
		};
		const unpacked = await packAndUnpack(folder);
		const checks = {
			'source, scanner of the reviewers': await analyse(projectRoot, SOURCE_FILE_PATTERNS),
			'tarball, scanner of the reviewers': await analyse(unpacked, ['**/*.js', 'package.json']),
			'tarball, files and dependencies': packageErrors(unpacked),
			'source, newest community rules': await newestRuleErrors(),
		};
		for (const [title, errors] of Object.entries(checks)) {
			console.log(`   ${errors.length === 0 ? '✔' : '✖'} ${title}`);
			for (const error of errors) console.log(`     ${error.replaceAll('\n', '\n     ')}`);
		}
		return Object.values(checks).some((errors) => errors.length > 0) ? 1 : 0;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The folders that are shipped. */
const SHIPPED = ['nodes', 'credentials'];

/** Time for the verdict on one pattern in milliseconds: the verdict must not depend on how busy the machine is. */
const PATIENCE = 120_000;

/** The TypeScript files below a folder. */
const sourcesIn = (folder) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
		.map((entry) => join(entry.parentPath, entry.name));

const isRegExpCall = (node) =>
	(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
	ts.isIdentifier(node.expression) &&
	node.expression.text === 'RegExp';

/** Whether `attempt(() => new RegExp(…)).ok` tries the syntax of a pattern that never matches anything. */
function isSyntaxCheck(node) {
	const arrow = node.parent;
	const call = arrow?.parent;
	const test = call?.parent;
	return (
		ts.isArrowFunction(arrow) &&
		ts.isCallExpression(call) &&
		ts.isPropertyAccessExpression(test) &&
		test.name.text === 'ok'
	);
}

/** The patterns of a file: literals and constructors, each with its place. `source` is undefined where it is known at run time only. */
function patternsIn(file) {
	const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
	const found = [];
	const note = (node, pattern) => {
		const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
		found.push({ place: `${file}:${line + 1}`, ...pattern });
	};
	const visit = (node) => {
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			note(node, { source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
		} else if (isRegExpCall(node) && !isSyntaxCheck(node)) {
			const [source, flags] = node.arguments ?? [];
			const known = source && ts.isStringLiteralLike(source) ? source.text : undefined;
			// A literal inside the constructor is visited by itself.
			if (!source || !ts.isRegularExpressionLiteral(source)) {
				note(node, {
					source: known,
					flags: flags && ts.isStringLiteralLike(flags) ? flags.text : '',
				});
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
}

/** What is wrong with a pattern; undefined when it takes linear time on every text. */
async function problemOf(source, flags) {
	if (source === undefined) return 'is made at run time: write it as a literal';
	const { check } = requireOfKit()('recheck');
	// By the number of steps: on a busy machine, each can take long.
	const how = { timeout: PATIENCE, attackTimeout: null, incubationTimeout: null };
	const { status, complexity, error } = await check(source, flags, how);
	if (status === 'safe') return undefined;
	const verdict =
		status === 'vulnerable'
			? `takes ${complexity.type} time`
			: `cannot be judged (${error.kind}): write it more simply`;
	return `/${source}/${flags} ${verdict}`;
}

/**
 * Fails for every regular expression that can take more than linear time: what it matches comes from
 * outside, and n8n does nothing else meanwhile. Resolves with an exit code.
 */
export async function checkPatterns() {
	const patterns = SHIPPED.map((folder) => join(projectRoot, folder))
		.flatMap(sourcesIn)
		.flatMap(patternsIn);
	const errors = [];
	for (const { place, source, flags } of patterns) {
		const where = relative(projectRoot, place).replaceAll(sep, '/');
		const problem = await problemOf(source, flags);
		if (problem) errors.push(`${where}  ${problem}`);
	}
	for (const error of errors) console.log(`   ✖ ${error}`);
	console.log(`   ${patterns.length} patterns, ${errors.length} of them not linear`);
	return errors.length === 0 ? 0 : 1;
}

/** Words that README may have, as `wc -w` counts them. */
const README_WORDS = 1_100;

/** A page without its code. */
const proseOf = (page) =>
	readFileSync(join(projectRoot, page), 'utf8')
		.replace(/^(```|~~~)[^]*?^\1/gm, '')
		.replace(/`[^`\n]*`/g, (code) => (code.startsWith('`[') ? '' : code));

/** The name of a heading in links, as GitHub makes it: letters, digits, `-` and `_`, each space a hyphen. */
const anchorOf = (heading) =>
	heading
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
		.replaceAll(' ', '-');

const anchorsOf = (page) =>
	new Set([...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading)));

/** The targets of a page's links and pictures. */
const targetsOf = (page) =>
	[...proseOf(page).matchAll(/\]\(<?([^)\s>]+)>?\)|<img[^>]* src="([^"]+)"/g)].map(
		([, link, picture]) => decodeURI(link ?? picture),
	);

/** What is wrong with a link of a page to a place of the repository; undefined for one that leads there, and for other hosts. */
function linkProblem(page, target) {
	if (/^[a-z][a-z\d+.-]*:/i.test(target)) return undefined;
	const [path, anchor] = target.split('#');
	const file = path === '' ? page : posix.join(posix.dirname(page), path);
	if (file.startsWith('..') || !existsSync(join(projectRoot, file)))
		return `${page}: ${target}: no such file`;
	if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor))
		return undefined;
	return `${page}: ${target}: no such heading`;
}

/**
 * Fails for links that lead nowhere, for pages of docs/ that README does not lead to, and for a README that is
 * too long. Resolves with an exit code.
 */
export function checkLinks() {
	const pages = ['.', 'docs']
		.flatMap((folder) =>
			readdirSync(join(projectRoot, folder)).map((file) => posix.join(folder, file)),
		)
		.filter((file) => file.endsWith('.md'));
	const reached = new Set(['README.md']);
	for (const page of reached) {
		for (const target of targetsOf(page)) {
			const file = posix.join(posix.dirname(page), target.split('#')[0]);
			if (pages.includes(file)) reached.add(file);
		}
	}
	const words = readFileSync(join(projectRoot, 'README.md'), 'utf8').split(/\s+/).filter(Boolean);
	const errors = [
		...pages.flatMap((page) =>
			targetsOf(page).flatMap((target) => linkProblem(page, target) ?? []),
		),
		...pages
			.filter((page) => page.startsWith('docs/') && !reached.has(page))
			.map((page) => `${page}: no page that README leads to links it`),
		...(words.length > README_WORDS
			? [`README.md: ${words.length} words, of at most ${README_WORDS}`]
			: []),
	];
	for (const error of errors) console.log(`   ✖ ${error}`);
	return errors.length === 0 ? 0 : 1;
}
