import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Result } from '../operation';
import { completesTurn, delay } from '../values/time';
import { attempt } from '../values/outcome';
import { isRecord, fieldOf, setField } from '../values/record';
import { originalOf, without, workPerResult } from './results';

/** Options for trimming a result before it becomes an item. */
export interface Trim {
	/** Dotted paths of the fields to output; all if empty. */
	keepFields: string[];
	/** Sorts, shortens and splits the result as the user wants. */
	transform(json: IDataObject): IDataObject[];
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

function pick(json: IDataObject, paths: string[]): IDataObject {
	const picked: IDataObject = {};
	for (const path of paths) copyPath(json, picked, path.split('.'));
	return picked;
}

/** Pairs a result with its input items. */
export const pairedWith = (items: number[]) =>
	items.length === 1 ? { item: items[0] } : items.map((item) => ({ item }));

/** Most input items to which a result without one of its own is linked: n8n stores each link. */
const mostLinks = 10;

/** Renames a top-level `error`, one of null goes: n8n's Retry On Fail repeats a node whose first item has one. */
export function withoutError(json: IDataObject): IDataObject {
	const { error } = json;
	if (error === undefined) return json;
	const rest = without(json, 'error');
	return error === null ? rest : { ...rest, original: { ...originalOf(json), error } };
}

/** Trims a result. Transforms it first, since that may need fields that are not picked. */
function trimResult(json: IDataObject, { keepFields, transform }: Trim): IDataObject[] {
	const arranged = transform(json);
	return keepFields.length === 0 ? arranged : arranged.map((each) => pick(each, keepFields));
}

/** Turns the results of a request into items, paired with their own input items or those of the request. */
export async function toItems(
	results: Result[],
	trim: Trim,
	requestedBy: number[],
	notice: (text: string) => void = () => undefined,
): Promise<INodeExecutionData[]> {
	const made: INodeExecutionData[] = [];
	const ofAny = requestedBy.length > mostLinks ? [] : requestedBy;
	for (const { json, binary, items = ofAny } of results) {
		const outcome = attempt(() => trimResult(json, trim));
		if (!outcome.ok) {
			notice(`A result could not be truncated: ${outcome.error.message}`);
		}
		const parts = outcome.ok ? outcome.value : [json];
		for (const [index, part] of parts.entries()) {
			const item = { json: part, pairedItem: pairedWith(items) };
			made.push(binary && index === 0 ? { ...item, binary } : item);
		}
		if (completesTurn(workPerResult * parts.length)) await delay(0);
	}
	return made;
}
