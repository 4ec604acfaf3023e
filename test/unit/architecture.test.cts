import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import {
	createSourceFile,
	forEachChild,
	isIdentifier,
	isInterfaceDeclaration,
	isStringLiteralLike,
	isTypeAliasDeclaration,
	preProcessFile,
	ScriptTarget,
	type Node,
} from 'typescript';
import { knownFormats } from '../../nodes/WebData/fields/formats';
import { projectRoot } from '../root.cjs';

const folder = join(projectRoot, 'nodes');

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
const sources: string[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => join(folder, file));

/** Every import statement of the shipped sources, of types too. */
const imports: Import[] = sources.flatMap((file) =>
	preProcessFile(readFileSync(file, 'utf8')).importedFiles.map(({ fileName }) => ({
		from: path(file),
		to: fileName.startsWith('.') ? moduleOf(join(dirname(file), fileName)) : fileName,
	})),
);

const isInside = ({ to }: Import): boolean => /^(WebData|runtime)/.test(to);

/** The room of a file: that of the action node is divided by its folders. */
function roomOf(file: string): string {
	const [room, part, ...rest] = file.split('/');
	return room === 'WebData' && rest.length > 0 ? `${room}/${part}` : room;
}

/** The resource of a file, where it belongs to one. */
const resourceOf = (file: string): string | undefined =>
	/^WebData\/resources\/([^/]+)\/./.exec(file)?.[1];

/** The arrows of the picture, as `room → room`. */
function drawn(): string[] {
	const page = readFileSync(join(projectRoot, 'docs/architecture.md'), 'utf8');
	const [, picture = ''] = /```mermaid\n([\s\S]*?)```/.exec(page) ?? [];
	const rooms = new Map(
		[...picture.matchAll(/(\w+)\["(.+?)<br\/>/g)].map(([, id, room]) => [id, room]),
	);
	return [...picture.matchAll(/(\w+) --> (.+)/g)].flatMap(([, from, to]) =>
		to.split(' & ').map((each) => `${rooms.get(from)} → ${rooms.get(each)}`),
	);
}

/** The folder of the runtime that a file is in. */
const runtimeRoomOf = (file: string): string | undefined => /^runtime\/([^/]+)\/./.exec(file)?.[1];

/** The folders of the runtime as the page lists them, the highest first. */
function listedRooms(): string[] {
	const page = readFileSync(join(projectRoot, 'docs/architecture.md'), 'utf8');
	const [, table = ''] = /## The modules of the runtime\n([\s\S]*?)\n## /.exec(page) ?? [];
	return [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, room]) => room);
}

/** A file as an import names it. */
const withoutEnding = (file: string): string => file.replace(/\.ts$/, '');

/** Files that import themselves by way of others: each with all that it can reach by its imports. */
function circles(): string[] {
	const importsOf = new Map<string, string[]>();
	for (const { from, to } of imports.filter(isInside)) {
		const file = withoutEnding(from);
		importsOf.set(file, [...(importsOf.get(file) ?? []), to]);
	}
	const reaches = (file: string): boolean => {
		const seen = new Set<string>();
		const next = [...(importsOf.get(file) ?? [])];
		for (let to = next.pop(); to !== undefined; to = next.pop()) {
			if (to === file) return true;
			if (!seen.has(to)) next.push(...(importsOf.get(to) ?? []));
			seen.add(to);
		}
		return false;
	};
	return [...importsOf.keys()].filter(reaches);
}

/** The files that the page names with their endings. */
function namedFiles(): string[] {
	const page = readFileSync(join(projectRoot, 'docs/architecture.md'), 'utf8');
	return [...page.matchAll(/`([\w/.]+\.ts)`/g)].map(([, file]) => file);
}

/** Formats whose names are words that code has for other things. */
const generalWords = ['attributes', 'images', 'json', 'links', 'menu', 'product', 'question'];

/** Names that only formats and documents have. */
const namesOfDocuments = new Set(
	[...Object.keys(knownFormats), 'numPages', 'totalPages', 'sourceURL'].filter(
		(name) => !generalWords.includes(name),
	),
);

/** The names of formats and documents that a source says, as a name or as a text. */
function documentNamesIn(file: string): string[] {
	const source = createSourceFile(file, readFileSync(file, 'utf8'), ScriptTarget.Latest);
	const found: string[] = [];
	const look = (node: Node): void => {
		const isNamed = isIdentifier(node) || isStringLiteralLike(node);
		if (isNamed && namesOfDocuments.has(node.text)) found.push(`${path(file)}: ${node.text}`);
		forEachChild(node, look);
	};
	look(source);
	return found;
}

/** The types that a source declares as a context. */
function contextsIn(file: string): string[] {
	const source = createSourceFile(file, readFileSync(file, 'utf8'), ScriptTarget.Latest);
	return source.statements
		.filter((each) => isInterfaceDeclaration(each) || isTypeAliasDeclaration(each))
		.map(({ name }) => name.text)
		.filter((name) => name.endsWith('Context'));
}

/** The contexts that the page lists. */
function listedContexts(): string[] {
	const page = readFileSync(join(projectRoot, 'docs/architecture.md'), 'utf8');
	const [, table = ''] = /### Contexts\n([\s\S]*?)\n## /.exec(page) ?? [];
	return [...table.matchAll(/^\| `(\w+)` \(/gm)].map(([, name]) => name);
}

describe('the files of the page', () => {
	it.each(namedFiles())('has %s', (file) => {
		const all = [...new Set(imports.map(({ from }) => from))];
		expect(all.filter((each) => `/${each}`.endsWith(`/${file}`))).not.toEqual([]);
	});
});

describe('dependencies', () => {
	it('is as the picture in docs/architecture.md shows it', () => {
		const found = imports
			.filter(isInside)
			.map(({ from, to }) => [roomOf(from), roomOf(to)])
			.filter(([from, to]) => from !== to)
			.map(([from, to]) => `${from} → ${to}`);
		expect([...new Set(found)].sort()).toEqual(drawn().sort());
	});

	it('the page lists every folder of the runtime', () => {
		const folders = readdirSync(join(folder, 'runtime'));
		expect(listedRooms().sort()).toEqual(folders.sort());
	});

	it('a folder of the runtime imports only folders that the page lists below it', () => {
		const height = new Map(listedRooms().map((room, index) => [room, -index]));
		const upwards = imports.filter(({ from, to }) => {
			// It has types alone, of which every module knows some.
			if (to === 'runtime/execution/operation') return false;
			const [one, other] = [runtimeRoomOf(from), runtimeRoomOf(to)];
			if (one === undefined || other === undefined || one === other) return false;
			return Number(height.get(one)) <= Number(height.get(other));
		});
		expect(upwards).toEqual([]);
	});

	it('the runtime names no format and no member of a document', () => {
		const named = sources
			.filter((file) => path(file).startsWith('runtime/'))
			.flatMap(documentNamesIn);
		expect(named).toEqual([]);
	});

	it('the contexts are those that the page lists', () => {
		expect(listedContexts()).not.toEqual([]);
		expect(sources.flatMap(contextsIn).sort()).toEqual(listedContexts().sort());
	});

	it('no import leads in a circle', () => {
		expect(circles()).toEqual([]);
	});

	it('no resource knows another', () => {
		const across = imports.filter(({ from, to }) => {
			const [one, other] = [resourceOf(from), resourceOf(to)];
			return one !== undefined && other !== undefined && one !== other;
		});
		expect(across).toEqual([]);
	});

	it('nothing is imported from outside but what n8n has for every node', () => {
		const outside = imports.filter((each) => !isInside(each)).map(({ to }) => to);
		expect([...new Set(outside)].sort()).toEqual(['n8n-workflow', 'node:crypto', 'zod/v3']);
	});
});
