import { fieldOf } from '../../runtime/values/record';

/**
 * Whether a part of a query is only for a search engine: an excluded word or an operator with its
 * value.
 */
const isForEngine = (part: string): boolean =>
	/^-|^(?:filetype|imagesize|inurl|larger|related|site):/i.test(part);

/** Removes the operators of search engines from a query, which leaves the question. */
export const withoutSearchOperators = (query: string): string =>
	query
		.split(/\s/)
		.filter((part) => !isForEngine(part))
		.join(' ');

/** Fields of requests that contain a question, the most specific first. */
const questions = ['query', 'question', 'prompt', 'intent', 'search', 'objective'];

const isQuestion = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/** The question in the fields of a request, or of a format. */
const ownQuestion = (request: unknown): string | undefined =>
	questions.map((name) => fieldOf(request, name)).find(isQuestion);

/** The question of a request or of one of its formats; undefined if it has none. */
export function questionOf(request: unknown): string | undefined {
	const reading = fieldOf(request, 'scrapeOptions');
	const formats = [fieldOf(request, 'formats'), fieldOf(reading, 'formats')].flat();
	const question = [request, ...formats].map(ownQuestion).find(isQuestion);
	return question === undefined ? undefined : withoutSearchOperators(question);
}
