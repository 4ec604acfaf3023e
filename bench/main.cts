import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { isMet, lineOf, type Bench } from './bench.cjs';
import { hostile } from './benches/hostile.cjs';
import { load } from './benches/load.cjs';
import { overhead } from './benches/overhead.cjs';
import { pace } from './benches/pace.cjs';
import { passages } from './benches/passages.cjs';
import { values } from './benches/values.cjs';
import { watch } from './benches/watch.cjs';

const benches: Record<string, Bench> = { overhead, load, pace, passages, values, watch, hostile };

/** Runs the benches and prints what was found. Resolves with the exit code: a missed goal is an error. */
async function main(): Promise<number> {
	// scripts/main.mjs has checked them.
	const { values } = parseArgs({
		options: { only: { type: 'string' }, repeats: { type: 'string', default: '5' } },
	});
	const { only, repeats } = values;
	const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;
	console.log(`Node ${process.version} on ${machine}, load ${loadavg()[0].toFixed(1)}`);
	let missed = 0;
	for (const [name, bench] of Object.entries(benches)) {
		if (only !== undefined && name !== only) continue;
		console.log(`\n${name}: ${bench.about}`);
		const began = performance.now();
		const figures = await bench.run(Number(repeats));
		for (const figure of figures) console.log(`  ${lineOf(figure)}`);
		console.log(`  (${Math.round((performance.now() - began) / 1000)} s)`);
		missed += figures.filter((figure) => !isMet(figure)).length;
	}
	console.log(missed === 0 ? '\nAll goals are met' : `\nMissed goals: ${missed}`);
	return missed === 0 ? 0 : 1;
}

main().then(
	(exitCode) => (process.exitCode = exitCode),
	(error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	},
);
