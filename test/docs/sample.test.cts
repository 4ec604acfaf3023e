import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../root.cjs';

const text = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');

it('CONTRIBUTING.md shows the sample test as it runs', () => {
	const [, shown] = /```ts\n([\s\S]*?)```/.exec(text('CONTRIBUTING.md')) ?? [];
	expect(shown).toBe(text('test/engine/sample.test.cts'));
});
