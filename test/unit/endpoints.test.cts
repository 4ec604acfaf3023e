import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../root.cjs';
import { namedEndpoints } from './endpoints.cjs';

/** The endpoints of the buckets that docs/api-notes.md lists in full, as `bucket: method path`. */
function notedBuckets(): string[] {
	const notes = readFileSync(join(projectRoot, 'docs/api-notes.md'), 'utf8').replace(/\s+/g, ' ');
	const lists = notes.matchAll(/\*(\w+)\*: ((?:(?:, | and )?`[^`]+`)+)/g);
	return [...lists].flatMap(([, bucket, list]) =>
		[...list.matchAll(/`([^`]+)`/g)].map(([, endpoint]) =>
			endpoint.startsWith('/') ? `${bucket}: POST ${endpoint}` : `${bucket}: ${endpoint}`,
		),
	);
}

describe('the endpoints that the node sends to', () => {
	const all = namedEndpoints();

	it('are all found in the sources, each named once', () => {
		const names = all.map(({ method, path }) => `${method} ${path}`);
		expect(names.length).toBeGreaterThan(35);
		expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
	});

	it('stand in the buckets that the notes on the API list', () => {
		const noted = notedBuckets();
		const listed = new Set(noted.map((each) => each.split(':')[0]));
		const named = all
			.filter(({ facts }) => listed.has(String(facts.bucket)))
			.map(({ method, path, facts }) => `${String(facts.bucket)}: ${method} ${path}`);
		expect(listed.size).toBe(6);
		expect(named.sort()).toEqual(noted.sort());
	});
});
