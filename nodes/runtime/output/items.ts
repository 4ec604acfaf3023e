import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Result } from '../operation/operation';
import { eachInTurns } from '../host/turns';
import { pluralize } from '../values/pluralize';
import { attempt } from '../values/settle';
import { sum } from '../values/sum';
import { isRecord, fieldOf, setField } from '../values/record';

/** How a result is trimmed before it becomes an item. */
export interface Trim {
	/** Dotted paths to keep; all when empty. */
	keepFields: string[];
	/** Brings it into the order and length that the user wants. */
	transform(json: IDataObject): IDataObject;
}

function copyPath(from: IDataObject, to: IDataObject, [step, ...rest]: string[]): void {
	if (!Object.hasOwn(from, step)) return;
	const value = from[step];
	if (rest.length === 0) {
		setField(to, step, value);
	} else if (isRecord(value)) {
		const inner = fieldOf(to, step);
		const target: IDataObject = isRecord(inner) ? (inner as IDataObject) : {};
		copyPath(value as IDataObject, target, rest);
		if (Object.keys(target).length > 0) setField(to, step, target);
	}
}

function keep(json: IDataObject, paths: string[]): IDataObject {
	const kept: IDataObject = {};
	for (const path of paths) copyPath(json, kept, path.split('.'));
	return kept;
}

/** A link to the input items that a result belongs to. */
export const pairedWith = (items: number[]) =>
	items.length === 1 ? { item: items[0] } : items.map((item) => ({ item }));

/** Links to input items that an item may have on average: where each of many is linked to each of many, n8n stores and shows their product. */
const mostLinks = 10;

/** Results with links to input items in the number of both at most, times `mostLinks`: where they have more, those of several input items are linked to none. */
export function withFewLinks(
	results: Result[],
	askedFor: number[],
	notice: (text: string) => void,
): Result[] {
	const links = sum(results.map(({ items = askedFor }) => items.length));
	if (links <= mostLinks * (results.length + askedFor.length)) return results;
	const isLinked = ({ items = askedFor }: Result) => items.length === 1;
	const unlinked = results.filter((result) => !isLinked(result)).length;
	notice(
		`${pluralize(unlinked, 'item')} that may belong to any of several input items ${unlinked === 1 ? 'is' : 'are'} linked to none: there would be ${links} links.`,
	);
	return results.map((result) => (isLinked(result) ? result : { ...result, items: [] }));
}

/** A result as the user wants it: arranged first, since what a field holds may be told by one that is not kept. */
function trimmed(json: IDataObject, { keepFields, transform }: Trim): IDataObject {
	const arranged = transform(json);
	return keepFields.length === 0 ? arranged : keep(arranged, keepFields);
}

/** How many characters are worked on in the time that an item takes. */
const workPerItem = 50;

/**
 * The results of a request as items, each linked to the input items that asked for it: those of the
 * request unless it names its own. One that cannot be trimmed comes out whole, with a notice: it is paid for.
 */
export async function toItems(
	results: Result[],
	trim: Trim,
	askedFor: number[],
	notice: (text: string) => void = () => undefined,
): Promise<INodeExecutionData[]> {
	const made: INodeExecutionData[] = [];
	await eachInTurns(results, ({ json, binary, items = askedFor }) => {
		const outcome = attempt(() => trimmed(json, trim));
		if (!outcome.ok) {
			notice(`A result could not be shortened and came out whole: ${outcome.error.message}`);
		}
		made.push({
			json: outcome.ok ? outcome.value : json,
			...(binary && { binary }),
			pairedItem: pairedWith(items),
		});
		return workPerItem;
	});
	return made;
}
