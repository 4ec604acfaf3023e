import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import { packPackage } from './pack.mjs';
import { Failure, execute, projectRoot } from './run.mjs';

const SCANNER = '@n8n/scan-community-package';
const BESIDE_DIST = ['package.json', 'README.md', 'LICENSE', 'THIRD_PARTY_NOTICES.md'];
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
	const { resolve } = createRequire(
		createRequire(import.meta.url).resolve(`${SCANNER}/package.json`),
	);
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
		const { SOURCE_FILE_PATTERNS, analyzePackage } = await import(`${SCANNER}/scanner/scanner.mjs`);
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
