import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { isUnset, membersOf } from './schema';
import { isRecord, type JsonRecord } from '../values/record';

/** Fields beside each other, with what is stored for them. */
interface Level {
	fields: INodeProperties[];
	values: JsonRecord;
	/** The way to them, as the user sees it. */
	way: string[];
	/** Whether each is there because the user added it from a menu. */
	isMenu?: boolean;
}

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** What a field holds: the members of a group, or the entries of a list. */
function levelsIn({ options = [] }: INodeProperties, stored: unknown, way: string[]): Level[] {
	const entries: Entry[] = options;
	const members = entries.filter((entry): entry is INodeProperties => 'type' in entry);
	const lists = entries.filter((entry): entry is INodePropertyCollection => 'values' in entry);
	return [
		{ fields: members, values: membersOf(stored), way, isMenu: true },
		...lists.flatMap(({ name, values: fields }) => {
			const list = membersOf(stored)[name];
			return (Array.isArray(list) ? list : []).map((entry, index) => ({
				fields,
				values: membersOf(entry),
				way: [...way, `entry ${index + 1}`],
			}));
		}),
	];
}

/**
 * The groups that the user added from a menu of the editor and left empty, by the ways to them. They ask
 * for nothing, so that nothing of them is sent.
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
