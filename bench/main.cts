import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../test/root.cjs';
import { reckon, type Findings } from './bench.cjs';
import { hostile } from './benches/hostile.cjs';
import { load } from './benches/load.cjs';
import { overhead } from './benches/overhead.cjs';
import { pace } from './benches/pace.cjs';
import { passages } from './benches/passages.cjs';
import { markdownOf, tableOf } from './report.cjs';
import { versions } from './versions.cjs';

const benches = [overhead, load, pace, passages, hostile];

/** Where the results go; git ignores it. */
const folder = join(projectRoot, '.build', 'bench');

/** What scripts/main.mjs has checked and hands on. */
function readArguments() {
	const { values } = parseArgs({
		options: { only: { type: 'string' }, repeats: { type: 'string', default: '5' } },
	});
	const { only, repeats } = values;
	const chosen = benches.filter(({ name }) => only === undefined || name === only);
	return { chosen, repeats: Number(repeats) };
}

/** Runs the benches, prints their tables and writes what was found. */
async function main(): Promise<void> {
	const choice = readArguments();
	const surroundings = {
		date: new Date().toISOString(),
		machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`,
		loadBefore: loadavg()[0],
		versions: versions(),
	};
	console.log(JSON.stringify(surroundings, undefined, 2), '\n');
	const found: Record<string, Findings & { seconds: number }> = {};
	const texts: string[] = [];
	mkdirSync(folder, { recursive: true });
	for (const bench of choice.chosen) {
		const began = performance.now();
		const findings = await bench.run(choice.repeats);
		const seconds = Math.round((performance.now() - began) / 1000);
		found[bench.name] = { ...findings, seconds };
		texts.push(markdownOf(bench, findings));
		console.log(tableOf(bench, findings));
		console.log(`  (${seconds} s)\n`);
	}
	const results = { ...surroundings, repeats: choice.repeats, benches: found };
	writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, undefined, '\t')}\n`);
	writeFileSync(join(folder, 'tables.md'), texts.join('\n'));
	const { goals, missed, exitCode } = reckon(Object.values(found));
	process.exitCode = exitCode;
	console.log(
		`${goals - missed} of ${goals} goals met. Written to .build/bench: results.json, tables.md`,
	);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
