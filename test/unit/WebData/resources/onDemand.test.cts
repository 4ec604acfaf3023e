import { join } from 'node:path';
import { projectRoot } from '../../../root.cjs';

// As they are built: under Jest, import() would need a flag of Node.js.
const folder = join(projectRoot, 'dist/nodes/WebData/resources');
const { resources }: { resources: Array<{ value: string }> } = require(folder);
const { resourcesNamed }: { resourcesNamed(name: unknown): Promise<object[]> } = require(
	join(folder, 'onDemand.js'),
);

describe('a resource that is loaded when it is used', () => {
	it.each(resources.map((resource) => ({ resource, name: resource.value })))(
		'is the one that the editor offers as $name',
		async ({ resource, name }) => {
			const [loaded, ...others] = await resourcesNamed(name);

			expect(loaded).toBe(resource);
			expect(others).toEqual([]);
		},
	);

	it.each([['fly'], ['__proto__'], ['toString'], [''], [undefined], [7]])(
		'is none for %p',
		async (name) => {
			expect(await resourcesNamed(name)).toEqual([]);
		},
	);
});
