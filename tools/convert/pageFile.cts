import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

const parser = 'esprima-next';

/** The code of a module, and the modules that it requires, each before those that require it. */
function collect(name: string, folder: string, found = new Map<string, string>()) {
	if (found.has(name)) return found;
	const file =
		name === parser
			? createRequire(join(folder, 'page.cjs')).resolve(parser)
			: join(folder, basename(name));
	const code = readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
	const required = name === parser ? [] : [...code.matchAll(/require\("([^"]+)"\)/g)];
	for (const [, other] of required) collect(other, folder, found);
	return found.set(name, code);
}

/** All modules of the page as one script. */
function scriptOf(folder: string): string {
	const modules = [...collect('./page.cjs', folder)].map(
		([name, code]) =>
			`modules[${JSON.stringify(name)}] = (require, module, exports) => {\n${code}\n};`,
	);
	return [
		'const modules = {};',
		'const loaded = {};',
		'const load = (name) => {',
		'	if (loaded[name] === undefined) {',
		'		const module = (loaded[name] = { exports: {} });',
		'		modules[name](load, module, module.exports);',
		'	}',
		'	return loaded[name].exports;',
		'};',
		...modules,
		"load('./page.cjs');",
	].join('\n');
}

/** The page of the converter, whose script is compiled into `folder`, as one file. */
export function pageFile(root: string, folder: string): string {
	const template = readFileSync(join(root, 'tools/convert/page.html'), 'utf8');
	const license = readFileSync(join(root, `node_modules/${parser}/LICENSE.BSD`), 'utf8').replaceAll(
		'\r',
		'',
	);
	const script = scriptOf(folder).replaceAll('</script', '<\\/script');
	return template.replace('{{license}}', () => license.trim()).replace('{{script}}', () => script);
}
