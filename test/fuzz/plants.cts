import { join } from 'node:path';
import fc from 'fast-check';
import { projectRoot } from '../root.cjs';
import type { Findings } from './findings.cjs';
import { seed } from './fuzzRun.cjs';

/** The modules in which defects are planted. */
interface Modules {
	'http/client': typeof import('../../nodes/runtime/http/client');
	'http/credential': typeof import('../../nodes/runtime/http/credential');
	'errors/webDataError': typeof import('../../nodes/runtime/errors/webDataError');
	'execution/execute': typeof import('../../nodes/runtime/execution/execute');
	'execution/atEnd': typeof import('../../nodes/runtime/execution/atEnd');
	'execution/items': typeof import('../../nodes/runtime/execution/items');
	'execution/job': typeof import('../../nodes/runtime/execution/job');
	'http/serviceError': typeof import('../../nodes/runtime/http/serviceError');
	'http/retry': typeof import('../../nodes/runtime/http/retry');
	'http/send': typeof import('../../nodes/runtime/http/send');
	'execution/results': typeof import('../../nodes/runtime/execution/results');
}

/** Where a fuzz run's nodes come from: n8n's engine loads the built package, direct runs take the compiled sources. */
export type Origin = 'dist' | '.build';

/** A defect that is ready to be planted. */
export type Plant = (origin: Origin) => () => void;

/**
 * Takes the place of a function that a module exports. Other modules find the defect; calls inside the
 * same module do not. Planting returns what takes it out again.
 */
export const defect =
	<Name extends keyof Modules, Member extends keyof Modules[Name]>(
		module: Name,
		member: Member,
		becomes: (original: Modules[Name][Member]) => Modules[Name][Member],
	): Plant =>
	(origin) => {
		const loaded: Modules[Name] = require(join(projectRoot, origin, 'nodes/runtime', module));
		const original = loaded[member];
		Reflect.set(loaded, member, becomes(original));
		return () => void Reflect.set(loaded, member, original);
	};

/** Plants defects for one test of a file each. */
export function usePlants(origin: Origin): (...plants: Plant[]) => void {
	const planted: Array<() => void> = [];
	afterEach(() => {
		for (const takeOut of planted.splice(0).reverse()) takeOut();
	});
	return (...plants) => planted.push(...plants.map((plant) => plant(origin)));
}

/** Draws are made until the defect is found, but not for ever: a fuzz run makes several times as many. */
const mostDraws = 300;

/** What a fuzz run reports of a planted defect: the findings of the first draws that have one like this. */
export async function reported<Setup>(
	setups: fc.Arbitrary<Setup>,
	findingsOf: (setup: Setup) => Promise<Findings>,
	wanted: RegExp,
): Promise<string | undefined> {
	for (const setup of fc.sample(setups, { seed, numRuns: mostDraws })) {
		const found = (await findingsOf(setup)).find((finding) => wanted.test(finding));
		if (found !== undefined) return found;
	}
	return undefined;
}
