import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
	createSourceFile,
	forEachChild,
	isAsExpression,
	isIdentifier,
	isImportDeclaration,
	isObjectLiteralExpression,
	isPropertyAssignment,
	isShorthandPropertyAssignment,
	isSpreadAssignment,
	isStringLiteralLike,
	isVariableStatement,
	ScriptTarget,
	SyntaxKind,
	type Expression,
	type Node,
	type SourceFile,
} from 'typescript';
import { projectRoot } from '../root.cjs';

/** An endpoint as a shipped source names it. */
interface NamedEndpoint {
	/** Path below nodes/. */
	file: string;
	method: string;
	path: string;
	facts: Readonly<Record<string, unknown>>;
}

const folder = join(projectRoot, 'nodes');

const parsed = new Map<string, SourceFile>();

function sourceOf(file: string): SourceFile {
	const known = parsed.get(file);
	if (known) return known;
	const source = createSourceFile(file, readFileSync(file, 'utf8'), ScriptTarget.Latest, true);
	parsed.set(file, source);
	return source;
}

/** What a name stands for in a file: a constant of its own, or of another that it imports. */
function valueOf(name: string, source: SourceFile): unknown {
	for (const statement of source.statements) {
		if (isVariableStatement(statement)) {
			const { declarations } = statement.declarationList;
			const found = declarations.find((each) => each.name.getText() === name);
			if (found?.initializer) return evaluated(found.initializer, source);
		}
		if (!isImportDeclaration(statement) || !isStringLiteralLike(statement.moduleSpecifier))
			continue;
		const file = `${join(dirname(source.fileName), statement.moduleSpecifier.text)}.ts`;
		const isNamed = new RegExp(`\\b${name}\\b`).test(statement.importClause?.getText() ?? '');
		if (isNamed && existsSync(file)) return valueOf(name, sourceOf(file));
	}
	return undefined;
}

/** The value of an expression of literals and names; undefined for any other. */
function evaluated(expression: Expression, source: SourceFile): unknown {
	if (isStringLiteralLike(expression)) return expression.text;
	if (expression.kind === SyntaxKind.TrueKeyword) return true;
	if (isAsExpression(expression)) return evaluated(expression.expression, source);
	if (isIdentifier(expression)) return valueOf(expression.text, source);
	if (!isObjectLiteralExpression(expression)) return undefined;
	const entries = expression.properties.flatMap((property): Array<[string, unknown]> => {
		if (isPropertyAssignment(property))
			return [[property.name.getText(), evaluated(property.initializer, source)]];
		if (isShorthandPropertyAssignment(property))
			return [[property.name.text, valueOf(property.name.text, source)]];
		return isSpreadAssignment(property)
			? Object.entries(Object(evaluated(property.expression, source)))
			: [];
	});
	return Object.fromEntries(entries);
}

/** The endpoints that a file names. */
function endpointsIn(source: SourceFile): NamedEndpoint[] {
	const found: NamedEndpoint[] = [];
	const visit = (node: Node): void => {
		if (isObjectLiteralExpression(node)) {
			const { method, path, ...facts } = Object(evaluated(node, source)) as Record<string, unknown>;
			if (typeof method === 'string' && typeof path === 'string' && 'bucket' in facts)
				found.push({ file: relative(folder, source.fileName), method, path, facts });
		}
		forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Every endpoint of the shipped sources, read from their text: those that no operation reaches in a test, too. */
const namedEndpoints = (): NamedEndpoint[] =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => endpointsIn(sourceOf(join(folder, file))));

describe('the endpoints that the node sends to', () => {
	const all = namedEndpoints();

	it('are all found in the sources, each named once', () => {
		const names = all.map(({ method, path }) => `${method} ${path}`);
		expect(names.length).toBeGreaterThan(35);
		expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
	});
});
