import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** Groups of the editor whose members belong to the object around them; `scrapeOptions` is a member itself where the API has it so. */
const groups = new Set(['additionalFields', 'options', 'scrapeOptions']);
const merelyGroups = new Set(['additionalFields', 'options']);

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
const isCollection = (entry: Entry): entry is INodePropertyCollection => 'values' in entry;

const membersOf = (property: INodeProperties): INodeProperties[] =>
	(property.options ?? []).flatMap((entry: Entry) => {
		if (isCollection(entry)) return entry.values;
		return isProperty(entry) ? [entry] : [];
	});

function find(properties: readonly INodeProperties[], name: string): INodeProperties | undefined {
	const own = properties.find((property) => property.name === name && !merelyGroups.has(name));
	if (own) return own;
	const inGroups = properties.filter((property) => groups.has(property.name)).flatMap(membersOf);
	return inGroups.length === 0 ? undefined : find(inGroups, name);
}

/** Whether a field is the list of actions, the choice of formats or one of theirs: these stand beside the group whose members they are. */
const isBesideItsGroup = ({ name, displayOptions }: INodeProperties) =>
	name === 'actions' || name === 'formats' || displayOptions?.show?.formats !== undefined;

/** A step of a way: what the editor shows beside one another there, and the names down to there. */
interface Level {
	fields: readonly INodeProperties[];
	names: string[];
}

/**
 * The way to a field as the user sees it, from the API's path to it:
 * `['scrapeOptions', 'parsers', 0, 'mode']` is "Scrape Options > Parsers > entry 1 > Mode". Formats and
 * actions, which the editor shows beside a group, are found there, too: `['scrapeOptions', 'formats']` is "Formats".
 * What has no field of its own keeps the API's name.
 */
export function displayName(
	properties: readonly INodeProperties[],
	path: ReadonlyArray<string | number>,
): string {
	// The levels around a step, the innermost first; an entry of a list has those of its own alone.
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
				? { fields: membersOf(property), names: [...level.names, property.displayName] }
				: { fields: [], names: [...names, step] },
		);
	}
	return around[0].names.join(' > ');
}
