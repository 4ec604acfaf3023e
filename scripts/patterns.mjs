import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

import { check } from 'recheck';
import ts from 'typescript';

import { Failure, projectRoot } from './run.mjs';

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
	const { status, complexity, error } = await check(source, flags, { timeout: PATIENCE });
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
export async function checkPatterns(given) {
	const folders = (given.length > 0 ? given : SHIPPED).map((folder) =>
		resolve(projectRoot, folder),
	);
	const missing = folders.find((folder) => !existsSync(folder));
	if (missing) throw new Failure(`There is no folder ${missing}`);
	const patterns = folders.flatMap(sourcesIn).flatMap(patternsIn);
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
