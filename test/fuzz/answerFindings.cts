import { inspect } from 'node:util';
import { stringify } from 'flatted';
import type { INodeExecutionData } from 'n8n-workflow';
import { errorFindings, errorsIn, type Findings } from './findings.cjs';
import { formsOf } from './hostileAnswers.cjs';

/** What came of a run whose service answered badly. */
export interface AnswerOutcome {
	items: INodeExecutionData[];
	/** Whether what was asked for was in the answer. */
	isGood: boolean;
	/** Items of the same run with good answers. */
	usual: INodeExecutionData[];
	/** Requests to the service, and those of the same run with good answers. */
	requests: number;
	usualRequests: number;
}

/** Requests more than usual that an answer can bring about: pages, polls and repeats. */
const mostMore = 30;

/** Whether n8n can store what came out, and show it. */
function storedFindings(items: INodeExecutionData[]): Findings {
	const findings: Findings = [];
	const works = { JSON: JSON.stringify, "n8n's form": stringify };
	for (const [words, write] of Object.entries(works)) {
		try {
			write(items);
		} catch (error) {
			findings.push(`items that have no ${words}: ${String(error)}`);
		}
	}
	return findings;
}

/** What is wrong with what came out. */
export function answerFindings(outcome: AnswerOutcome): Findings {
	const { items, isGood, usual, requests, usualRequests } = outcome;
	const errors = errorsIn(items);
	const findings = [...errors.flatMap(errorFindings), ...storedFindings(items)];
	if (items.length === 0 && usual.length > 0 && !isGood)
		findings.push('neither an item nor an error');
	if (isGood && errors.length > 0) findings.push(`a good answer was lost: ${String(errors[0])}`);
	if (isGood && items.length < usual.length) {
		findings.push(`of ${usual.length} items ${items.length} came out`);
	}
	if (requests > usualRequests + mostMore) findings.push(`${requests} requests`);
	return findings;
}

/** Whether a key is told, in whatever form. */
export function keyFindings(key: string, what: string, value: unknown): Findings {
	const options = { depth: 50, maxStringLength: null, maxArrayLength: 1_000, showHidden: true };
	const text = typeof value === 'string' ? value : inspect(value, options);
	// Showing a value escapes what needs it once more.
	const told = formsOf(key).filter((form) => text.includes(form) || text.includes(shown(form)));
	return told.map((form) => `the key as ${form} is in ${what}`);
}

const shown = (text: string) => inspect(text).slice(1, -1);
