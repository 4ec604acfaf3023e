import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../nodes/WebData/resources';
import { projectRoot } from '../root.cjs';
import { reference } from './reference.cjs';

const cellsOf = (line: string): string[] =>
	line
		.split('|')
		.slice(1, -1)
		.map((cell) => cell.trim());

/** Every `name` that a field or what it holds has in saved workflows. */
function namesIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	// The modes of a pick are no fields.
	const { modes: _modes, ...held }: Record<string, unknown> = { ...value };
	const inner = Object.values(held).flatMap(namesIn);
	const isField = 'displayName' in value && 'type' in value && 'name' in value;
	return isField ? [String(value.name), ...inner] : inner;
}

describe('the reference', () => {
	const text = reference();

	/** The sections by their links. */
	const sections = new Map(
		text.split(/^#+ /m).map((section): [string, string] => {
			const [heading] = section.split('\n');
			return [
				heading
					.toLowerCase()
					.replace(/[^a-z -]/g, '')
					.replaceAll(' ', '-'),
				section,
			];
		}),
	);

	/** A section with those that its table links to. */
	function withLinked(anchor: string, seen = new Set<string>()): string {
		const section = sections.get(anchor);
		if (section === undefined) throw new Error(`No section #${anchor}`);
		if (seen.has(anchor)) return '';
		seen.add(anchor);
		const links = [...section.matchAll(/\]\(#([\w-]+)\)/g)];
		return [section, ...links.map(([, link]) => withLinked(link, seen))].join('\n');
	}

	it.each(
		resources.flatMap(({ name: resource, operations }) =>
			operations.map((operation) => ({ resource, name: operation.name, operation })),
		),
	)('says what $resource: $name costs and has every field of it', ({ resource, operation }) => {
		const title = `${resource}: ${operation.name}`;
		const section = withLinked(title.toLowerCase().replace(':', '').replaceAll(' ', '-'));

		expect(section).toContain(`**Costs**: ${operation.costs}.`);
		for (const name of namesIn(operation.fields)) expect(section).toContain(`\`${name}\``);
	});

	it('agrees with the README on the resources and their operations', () => {
		const [, rest] = readFileSync(join(projectRoot, 'README.md'), 'utf8').split('## Operations\n');
		const [section] = rest.split('\n## ');
		const rows = section
			.split('\n')
			.filter((line) => line.startsWith('| ['))
			.map(cellsOf);

		expect(rows.map(([resource, operations]) => [resource, operations])).toEqual(
			resources.map(({ name, operations }) => [
				`[${name}](docs/operations.md#${name.toLowerCase().replaceAll(' ', '-')})`,
				operations.map((operation) => operation.name).join(', '),
			]),
		);
	});
});
