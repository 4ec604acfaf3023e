import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** The licenses of the packages that the page contains. */
const licenseFiles = ['esprima-next/LICENSE.BSD', 'zod/LICENSE'];

/** What the schemas of the nodes load and never call. */
const standIns: Record<string, string> = {
	'node:crypto': '',
	'n8n-workflow': ['NodeApiError', 'NodeOperationError', 'UserError']
		.map((name) => `exports.${name} = class extends Error {};`)
		.join('\n'),
};

/** The file of what a module requires; undefined for a stand-in. */
function fileOf(name: string, from: string): string | undefined {
	if (Object.hasOwn(standIns, name)) return undefined;
	if (!name.startsWith('.')) return createRequire(from).resolve(name);
	const path = join(dirname(from), name);
	const files = ['', '.js', '/index.js'].map((ending) => path + ending);
	return files.find((file) => /\.(c?js|json)$/.test(file) && existsSync(file));
}

/** The functions of a module and of those that it requires, each with the places of what it requires. */
function collect(
	file: string,
	root: string,
	found = new Map<string, string>(),
): Map<string, string> {
	const place = relative(root, file);
	if (found.has(place)) return found;
	found.set(place, '');
	const text = readFileSync(file, 'utf8');
	const isData = file.endsWith('.json');
	const code = isData
		? `module.exports = ${text};`
		: text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
	const required = [...code.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => {
		const other = fileOf(name, file);
		if (other !== undefined) collect(other, root, found);
		return [name, other === undefined ? name : relative(root, other)];
	});
	const places = JSON.stringify(Object.fromEntries(required));
	return found.set(place, `[${places}, (require, module, exports) => {\n${code}\n}]`);
}

/** All modules of the page as one script. */
function scriptOf(folder: string, root: string): string {
	const modules = collect(join(folder, 'page.cjs'), root);
	for (const [name, code] of Object.entries(standIns)) {
		modules.set(name, `[{}, (require, module, exports) => {\n${code}\n}]`);
	}
	const entries = [...modules].map(
		([place, code]) => `modules[${JSON.stringify(place)}] = ${code};`,
	);
	return [
		// The one part of Node.js that the schemas use.
		'const Buffer = { byteLength: (text) => new TextEncoder().encode(text).length };',
		'const modules = {};',
		'const loaded = {};',
		'const load = (place) => {',
		'	if (loaded[place] === undefined) {',
		'		const module = (loaded[place] = { exports: {} });',
		'		const [places, run] = modules[place];',
		'		run((name) => load(places[name]), module, module.exports);',
		'	}',
		'	return loaded[place].exports;',
		'};',
		...entries,
		`load(${JSON.stringify(relative(root, join(folder, 'page.cjs')))});`,
	].join('\n');
}

/** The page of the converter, whose script is compiled into `folder`, as one file. */
export function pageFile(root: string, folder: string): string {
	const template = readFileSync(join(root, 'tools/convert/page.html'), 'utf8');
	const licenses = licenseFiles.map((file) =>
		readFileSync(join(root, 'node_modules', file), 'utf8')
			.replaceAll('\r', '')
			.trim(),
	);
	const script = scriptOf(folder, root).replaceAll('</script', '<\\/script');
	return template
		.replace('{{license}}', () => licenses.join('\n\n'))
		.replace('{{script}}', () => script);
}
