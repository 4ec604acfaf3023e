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

/**
 * The way to a field as the user sees it, from the API's path to it:
 * `['scrapeOptions', 'formats', 0, 'prompt']` is "Scrape Options > Formats > entry 1 > Prompt".
 * What has no field of its own keeps the API's name.
 */
export function displayName(
	properties: readonly INodeProperties[],
	path: ReadonlyArray<string | number>,
): string {
	let level = properties;
	const names = path.map((step) => {
		if (typeof step === 'number' || /^\d+$/.test(step)) return `entry ${Number(step) + 1}`;
		const property = find(level, step);
		level = property ? membersOf(property) : [];
		return property?.displayName ?? step;
	});
	return names.join(' > ');
}
