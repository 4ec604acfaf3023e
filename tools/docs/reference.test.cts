import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../nodes/WebData/resources';
import { projectRoot } from '../../test/root.cjs';
import { reference } from './reference.cjs';

describe('the reference', () => {
	const sections = new Map(
		reference()
			.split(/^#+ /m)
			.map((section): [string, string] => [section.split('\n')[0], section]),
	);

	it.each(
		resources.flatMap(({ name, operations }) =>
			operations.map((operation) => ({ title: `${name}: ${operation.name}`, operation })),
		),
	)('says what $title costs, and names every field of it', ({ title, operation }) => {
		const section = sections.get(title) ?? '';
		expect(section).toContain(`**Costs**: ${operation.costs.replace(/[\\*<]/g, '\\$&')}.`);
		for (const { displayName, type } of operation.fields) {
			if (type !== 'notice') expect(section).toContain(displayName);
		}
	});

	it('agrees with the README on the resources and their operations', () => {
		const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
		const rows = [...readme.matchAll(/^\| \[(.+?)\]\(docs\/operations\S+ \| (.+?) \|/gm)];
		expect(rows.map(([, resource, operations]) => [resource, operations])).toEqual(
			resources.map(({ name, operations }) => [
				name,
				operations.map((operation) => operation.name).join(', '),
			]),
		);
	});
});
