import type { EngineRun } from './harness.cjs';

/** The error that a model gets from a tool, and the advice with it. */
export function toolTexts(run: EngineRun): { error?: string; advice?: string } {
	const failed = run.output().find(({ json }) => 'error' in json);
	return { error: failed?.json.error, advice: failed?.json.advice } as {
		error?: string;
		advice?: string;
	};
}
