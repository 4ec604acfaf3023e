import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { isUnset, collectionFields } from './schema';
import { isRecord, type JsonRecord } from '../values/record';

/** Fields of one level, with their stored values. */
interface Level {
	fields: INodeProperties[];
	values: JsonRecord;
	/** The path to them, in display names. */
	way: string[];
	/** Whether the user added each of them from a menu. */
	isMenu?: boolean;
}

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** The levels below a field: the fields of a group, or the entries of a list. */
function levelsIn({ options = [] }: INodeProperties, stored: unknown, way: string[]): Level[] {
	const entries: Entry[] = options;
	const grouped = entries.filter((entry): entry is INodeProperties => 'type' in entry);
	const lists = entries.filter((entry): entry is INodePropertyCollection => 'values' in entry);
	return [
		{ fields: grouped, values: collectionFields(stored), way, isMenu: true },
		...lists.flatMap(({ name, values: fields }) => {
			const list = collectionFields(stored)[name];
			return (Array.isArray(list) ? list : []).map((entry, index) => ({
				fields,
				values: collectionFields(entry),
				way: [...way, `entry ${index + 1}`],
			}));
		}),
	];
}

/**
 * Lists the groups that the user added from a menu of the editor and left empty, by their paths. Nothing
 * of them is sent.
 */
export function emptyGroupsIn({ fields, values, way, isMenu = false }: Level): string[] {
	return fields.flatMap((field) => {
		const stored = values[field.name];
		if (!isRecord(stored)) return [];
		const path = [...way, field.displayName];
		const isEmpty = field.type === 'collection' && isUnset(stored);
		if (isMenu && isEmpty) return [path.join(' > ')];
		if (Object.keys(stored).length === 0) return [];
		return levelsIn(field, stored, path).flatMap(emptyGroupsIn);
	});
}
