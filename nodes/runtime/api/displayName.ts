import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { withoutUnit } from '../form/field';

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/**
 * Groups of the editor whose fields belong to the object around them. `scrapeOptions` may also be a
 * field of the API.
 */
const groups = new Set(['additionalFields', 'options', 'scrapeOptions']);
const merelyGroups = new Set(['additionalFields', 'options']);

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
const isCollection = (entry: Entry): entry is INodePropertyCollection => 'values' in entry;

const fieldsOf = (property: INodeProperties): INodeProperties[] =>
	(property.options ?? []).flatMap((entry: Entry) => {
		if (isCollection(entry)) return entry.values;
		return isProperty(entry) ? [entry] : [];
	});

function find(properties: readonly INodeProperties[], name: string): INodeProperties | undefined {
	const own = properties.find((property) => property.name === name && !merelyGroups.has(name));
	if (own) return own;
	const inGroups = properties.filter((property) => groups.has(property.name)).flatMap(fieldsOf);
	return inGroups.length === 0 ? undefined : find(inGroups, name);
}

/**
 * Whether a field is the list of actions, the choice of formats or one of their fields, which the
 * editor shows next to their group.
 */
const isBesideItsGroup = ({ name, displayOptions }: INodeProperties) =>
	name === 'actions' || name === 'formats' || displayOptions?.show?.formats !== undefined;

/**
 * A level of a path: the fields that the editor shows together, and the display names down to them.
 */
interface Level {
	fields: readonly INodeProperties[];
	names: string[];
}

/**
 * Converts the API's path of a field to display names: `['scrapeOptions', 'parsers', 0, 'mode']` is
 * "Scrape Options > Parsers > entry 1 > Mode". Formats and actions, which the editor shows next to
 * a group, are found as well: `['scrapeOptions', 'formats']` is "Formats". Without a field of its
 * own, the API's name remains.
 */
export function displayName(
	properties: readonly INodeProperties[],
	path: ReadonlyArray<string | number>,
): string {
	// The levels around a step, innermost first. An entry of a list has only its own.
	let around: Level[] = [{ fields: properties, names: [] }];
	for (const step of path) {
		const [{ fields, names }] = around;
		if (typeof step === 'number' || /^\d+$/.test(step)) {
			around = [{ fields, names: [...names, `entry ${Number(step) + 1}`] }];
			continue;
		}
		const [level, property] = around
			.map(
				(each, index) =>
					[each, find(index === 0 ? fields : each.fields.filter(isBesideItsGroup), step)] as const,
			)
			.find(([, found]) => found) ?? [undefined, undefined];
		around.unshift(
			level && property
				? { fields: fieldsOf(property), names: [...level.names, withoutUnit(property.displayName)] }
				: { fields: [], names: [...names, step] },
		);
	}
	return around[0].names.join(' > ');
}

/** The display name of a parameter at any level; its own name if there is none. */
export function labelOf(properties: readonly INodeProperties[], name: string): string {
	const found = properties.find((property) => property.name === name);
	if (found) return withoutUnit(found.displayName);
	const inner = properties.flatMap(fieldsOf);
	return inner.length === 0 ? name : labelOf(inner, name);
}
