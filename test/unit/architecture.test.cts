import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import {
	createSourceFile,
	isInterfaceDeclaration,
	isTypeAliasDeclaration,
	preProcessFile,
	ScriptTarget,
	type SourceFile,
} from 'typescript';
import { projectRoot } from '../root.cjs';

const folder = join(projectRoot, 'nodes');
const page = readFileSync(join(projectRoot, 'docs/architecture.md'), 'utf8');

interface Import {
	/** Paths below nodes/, with slashes; `to` is a package's name where it leads outside. */
	from: string;
	to: string;
}

const path = (file: string): string => relative(folder, file).split(sep).join('/');

/** A folder stands for its index. */
const moduleOf = (file: string): string =>
	path(existsSync(join(file, 'index.ts')) ? join(file, 'index') : file);

/** The shipped sources. */
const sources: SourceFile[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => join(folder, file))
	.map((file) => createSourceFile(file, readFileSync(file, 'utf8'), ScriptTarget.Latest, true));

/** Every import statement of the shipped sources, of types too; `from` has no ending either. */
const imports: Import[] = sources.flatMap(({ fileName, text }) =>
	preProcessFile(text).importedFiles.map(({ fileName: to }) => ({
		from: path(fileName).replace(/\.ts$/, ''),
		to: to.startsWith('.') ? moduleOf(join(dirname(fileName), to)) : to,
	})),
);

const isInside = ({ to }: Import): boolean => /^(WebData|runtime)/.test(to);

/** The room of a module: that of the action node is divided by its folders. */
function roomOf(module: string): string {
	const [room, part, ...rest] = module.split('/');
	return room === 'WebData' && rest.length > 0 ? `${room}/${part}` : room;
}

/** The arrows of the picture, as `room → room`. */
function drawn(): string[] {
	const [, picture = ''] = /```mermaid\n([\s\S]*?)```/.exec(page) ?? [];
	const rooms = new Map(
		[...picture.matchAll(/(\w+)\["(.+?)<br\/>/g)].map(([, id, room]) => [id, room]),
	);
	return [...picture.matchAll(/(\w+) --> (.+)/g)].flatMap(([, from, to]) =>
		to.split(' & ').map((each) => `${rooms.get(from)} → ${rooms.get(each)}`),
	);
}

/** The names in the first column of the table below a heading of the page. */
function listedBelow(heading: string): string[] {
	const [, table] = page.split(`${heading}\n`);
	return [...table.split('\n#')[0].matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
}

const modules = listedBelow('## The modules of the runtime');

/** What a module of one of the runtime's folders has in its place of the page's list; undefined for any other. */
function heightOf(module: string): number | undefined {
	const room = /^runtime\/([^/]+)\/./.exec(module)?.[1];
	return room === undefined ? undefined : -modules.indexOf(room);
}

/** Modules that import themselves by way of others: each with all that it can reach by its imports. */
function circles(): string[] {
	const importsOf = new Map<string, string[]>();
	for (const { from, to } of imports.filter(isInside)) {
		importsOf.set(from, [...(importsOf.get(from) ?? []), to]);
	}
	const reaches = (module: string): boolean => {
		const seen = new Set<string>();
		const next = [module];
		for (let at = next.pop(); at !== undefined; at = next.pop()) {
			for (const to of importsOf.get(at) ?? []) {
				if (to === module) return true;
				if (!seen.has(to)) next.push(to);
				seen.add(to);
			}
		}
		return false;
	};
	return [...importsOf.keys()].filter(reaches);
}

/** The types that a source declares as a context. */
const contextsIn = ({ statements }: SourceFile): string[] =>
	statements
		.filter((each) => isInterfaceDeclaration(each) || isTypeAliasDeclaration(each))
		.map(({ name }) => name.text)
		.filter((name) => name.endsWith('Context'));

it('the files that the page names are there', () => {
	const named = [...page.matchAll(/`([\w/.]+\.ts)`/g)].map(([, file]) => file);
	const there = sources.map(({ fileName }) => `/${path(fileName)}`);
	expect(named.length).toBeGreaterThan(5);
	expect(named.filter((file) => !there.some((each) => each.endsWith(`/${file}`)))).toEqual([]);
});

it('modules depend on each other as the picture shows it', () => {
	const found = imports
		.filter(isInside)
		.map(({ from, to }) => [roomOf(from), roomOf(to)])
		.filter(([from, to]) => from !== to)
		.map(([from, to]) => `${from} → ${to}`);
	expect([...new Set(found)].sort()).toEqual(drawn().sort());
});

it('a folder of the runtime is listed by the page, and imports only those below it', () => {
	expect([...modules].sort()).toEqual(
		readdirSync(join(folder, 'runtime'))
			.filter((name) => !name.includes('.'))
			.sort(),
	);
	const upwards = imports.filter(({ from, to }) => {
		const [one, other] = [heightOf(from), heightOf(to)];
		// It has types alone, of which every module knows some.
		if (to === 'runtime/operation' || one === undefined) return false;
		return other !== undefined && from.split('/')[1] !== to.split('/')[1] && one <= other;
	});
	expect(upwards).toEqual([]);
});

it('the contexts are those that the page lists', () => {
	const listed = listedBelow('### Contexts');
	expect(listed).not.toEqual([]);
	expect(sources.flatMap(contextsIn).sort()).toEqual(listed.sort());
});

it('no import leads in a circle', () => {
	expect(circles()).toEqual([]);
});

it('no resource knows another', () => {
	const isResource = (module: string) => roomOf(module) === 'WebData/resources';
	const across = imports
		.filter(({ from, to }) => isResource(from) && isResource(to) && !from.endsWith('/index'))
		// The files of one resource begin alike.
		.filter(({ from, to }) => !from.startsWith(to));
	expect(across).toEqual([]);
});

it('nothing is imported from outside but what n8n has for every node', () => {
	const outside = imports.filter((each) => !isInside(each)).map(({ to }) => to);
	expect([...new Set(outside)].sort()).toEqual(['n8n-workflow', 'node:crypto', 'zod/v3']);
});
