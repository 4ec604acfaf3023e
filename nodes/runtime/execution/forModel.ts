import type { INodeProperties, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { errorForModel, withoutItemMark } from '../api/errors';
import { filledFields } from '../api/nameForModel';
import { textOf, type Sentence } from '../api/sentence';

/** A name of the editor in a text: a label, or labels from a group down to a field. */
const labels = /'([A-Z][\w /()-]{0,60}(?: > [\w /()-]{1,60})*)'/g;

/** An error for a model: the node's own message and advice, and the texts that quote the service. */
export interface ModelError {
	error: string;
	advice: string;
	quotes: string[];
}

/**
 * The texts of an error for a model, which knows only the names of the fields that it fills in. It
 * gets advice that it can follow, then advice for its user, who alone can change the other fields,
 * the credential and the plan. Texts of the service are apart if they are put between
 * delimiters.
 */
export function forModel(
	failure: NodeApiError | NodeOperationError,
	parameters: unknown,
	fields: readonly INodeProperties[],
	isQuoteApart: boolean,
): ModelError {
	const filled = filledFields(parameters, fields);
	const keyOf = (path: string) => {
		const steps = path.split(' > ');
		const start = steps.findIndex((step) => filled.some(({ label }) => label === step));
		if (start < 0) return undefined;
		const key = filled.find(({ label }) => label === steps[start])?.key;
		return [key, ...steps.slice(start + 1)].join(' > ');
	};
	const named = (text: string) =>
		text.replace(labels, (whole, path: string) => {
			const key = keyOf(path);
			return key === undefined ? whole : `'${key}'`;
		});
	const isFilled = (text: string) => {
		const paths = [...text.matchAll(labels)].map(([, path]) => path);
		return paths.length > 0 && paths.every((path) => keyOf(path) !== undefined);
	};
	const { own, quote, advice } = errorForModel(failure);
	const sentences = advice.map(
		(sentence): Sentence => ({
			text: named(sentence.text),
			by: sentence.by === 'user' && isFilled(sentence.text) ? 'caller' : sentence.by,
		}),
	);
	const isApart = ({ by }: Sentence) => isQuoteApart && by === 'service';
	const direct = sentences.filter((each) => each.by !== 'user' && !isApart(each));
	const others = sentences.filter(({ by }) => by === 'user');
	const canAct = direct.some(({ by }) => by === 'caller');
	const preface = canAct ? 'If that does not help, tell the user:' : cannotFix;
	const forUser = others.length === 0 ? '' : `${preface} ${textOf(others)}`;
	const isWholeOwn = quote === undefined || isQuoteApart;
	return {
		error: named(withoutItemMark(isWholeOwn ? own : quote)),
		advice: [textOf(direct), forUser].filter(Boolean).join(' '),
		quotes: isQuoteApart
			? [
					...(quote === undefined ? [] : [named(withoutItemMark(quote))]),
					...sentences.filter(isApart).map(({ text }) => text),
				]
			: [],
	};
}

const cannotFix = 'You cannot fix this; tell the user:';
