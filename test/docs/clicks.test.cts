import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clickCounts } from '../n8n/clickCounts.cjs';
import { projectRoot } from '../root.cjs';

describe('the table of clicks', () => {
	const page = readFileSync(join(projectRoot, 'docs/benchmarks.md'), 'utf8');

	it.each(clickCounts)('says what $task takes', ({ task, clicks, official }) => {
		expect(page.toLowerCase()).toContain(
			`| ${task} | ${clicks} | ${clicks + 1} | ${official} |`.toLowerCase(),
		);
	});
});
