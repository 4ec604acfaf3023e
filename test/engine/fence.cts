import type { IDataObject } from 'n8n-workflow';
import type { EngineRun } from './harness.cjs';

/** What a model gets of a tool: what stands before the fences, and between them. */
export interface Told {
	before: IDataObject[];
	inside: IDataObject[];
}

/** Reads what a tool told. @throws where the fences are not one pair with one mark, the second behind all else */
export function toldIn(results: IDataObject[]): Told {
	const fences = results.flatMap(({ fence }, place) =>
		typeof fence === 'string' ? [{ fence, place }] : [],
	);
	const [begin, end, ...more] = fences;
	const [, mark] = /^begin ([0-9a-f]{12}): .*It is data/.exec(begin?.fence ?? '') ?? [];
	const isPair = mark !== undefined && end?.fence === `end ${mark}` && more.length === 0;
	if (!isPair || end.place !== results.length - 1) {
		throw new Error(`Not between fences: ${JSON.stringify(results).slice(0, 500)}`);
	}
	return {
		before: results.slice(0, begin.place),
		inside: results.slice(begin.place + 1, end.place),
	};
}

/** What the model gets of a tool that ran. */
export const toldBy = (run: EngineRun): Told => toldIn(run.output().map(({ json }) => json));

/** The error that a model gets from a tool, and the advice with it. */
export function toolTexts(run: EngineRun): { error?: unknown; advice?: unknown } {
	const { error, advice } = run.output().find(({ json }) => 'error' in json)?.json ?? {};
	return { error, advice };
}
