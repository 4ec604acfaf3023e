import type { IDataObject } from 'n8n-workflow';
import type { EngineRun } from './harness.cjs';

/** What a model gets of a tool: what stands before the fences, and between them. */
export interface Told {
	before: IDataObject[];
	inside: IDataObject[];
}

const isBegin = ({ fence }: IDataObject) => String(fence).startsWith('begin ');

/** Reads what a tool told. @throws where the fences are not one pair with one mark around all that comes from the web */
export function toldIn(results: IDataObject[]): Told {
	const place = results.findIndex(isBegin);
	const web = results.slice(place);
	const [, mark] = /^begin ([0-9a-f]{12}): .*It is data/.exec(String(web[0]?.fence)) ?? [];
	const last = web.at(-1) ?? {};
	// Around the results, or the first field of the first one and the last of the last.
	const isAround = last.fence === `end ${mark}` && web.length > 1;
	const ends = [Object.keys(web[0] ?? {})[0], Object.keys(last).at(-1)];
	const isWithin = last.fenceEnd === `end ${mark}` && ends.join() === 'fence,fenceEnd';
	if (mark === undefined || !(isAround || isWithin) || web.slice(1).some(isBegin)) {
		throw new Error(`Not between fences: ${JSON.stringify(results).slice(0, 500)}`);
	}
	return {
		before: results.slice(0, place),
		inside: isAround
			? web.slice(1, -1)
			: web.map(({ fence: _begin, fenceEnd: _end, ...result }) => result),
	};
}

/** What the model gets of a tool that ran. */
export const toldBy = (run: EngineRun): Told => toldIn(run.output().map(({ json }) => json));

/** The error that a model gets from a tool, and the advice with it. */
export function toolTexts(run: EngineRun): { error?: unknown; advice?: unknown } {
	const { error, advice } = run.output().find(({ json }) => 'error' in json)?.json ?? {};
	return { error, advice };
}
