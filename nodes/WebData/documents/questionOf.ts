import { questionOf } from './question';
import { fieldOf } from '../../runtime/values/record';

/** Members of requests that say what the answer is wanted for, the nearest to a question first. */
const questions = ['passagesAbout', 'query', 'question', 'prompt', 'intent', 'search', 'objective'];

const isQuestion = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/** What a request, or a format of it, asks. */
const askedBy = (request: unknown): string | undefined =>
	questions.map((name) => fieldOf(request, name)).find(isQuestion);

/** The question that a request asks, by itself or with a format that answers one; undefined for any other. */
export function askedQuestion(request: unknown): string | undefined {
	const reading = fieldOf(request, 'scrapeOptions');
	const formats = [fieldOf(request, 'formats'), fieldOf(reading, 'formats')].flat();
	const asked = [request, ...formats].map(askedBy).find(isQuestion);
	return asked === undefined ? undefined : questionOf(asked);
}
