import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { withoutUnit } from '../values/text';

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** Groups of the editor whose fields are those of the object around; the last two may be a step of a path. */
const groups = new Set(['additionalFields', 'options', 'scrapeOptions']);

const fieldsOf = (property: INodeProperties): INodeProperties[] =>
	(property.options ?? []).flatMap((entry: Entry) => {
		if ('values' in entry) return entry.values;
		return 'type' in entry ? [entry] : [];
	});

function find(properties: readonly INodeProperties[], name: string): INodeProperties | undefined {
	const own = properties.find((property) => property.name === name && name !== 'additionalFields');
	if (own) return own;
	const inGroups = properties.filter((property) => groups.has(property.name)).flatMap(fieldsOf);
	return inGroups.length === 0 ? undefined : find(inGroups, name);
}

/** Whether a field is one that the editor shows beside its group: actions, formats, or a field of theirs. */
const isBesideItsGroup = ({ name, displayOptions }: INodeProperties) =>
	name === 'actions' || name === 'formats' || displayOptions?.show?.formats !== undefined;

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
	const beside = properties.filter(isBesideItsGroup);
	let fields = properties;
	let names: string[] = [];
	let isEntry = false;
	for (const [index, step] of path.entries()) {
		if (typeof step === 'number' || /^\d+$/.test(step)) {
			names.push(`entry ${Number(step) + 1}`);
			isEntry = true;
			continue;
		}
		const own = find(fields, step);
		// The editor shows a crawl's scrape options among its other fields.
		const isAmongOthers = !own && step === 'scrapeOptions' && !isEntry;
		if (isAmongOthers && find(fields, String(path[index + 1]))) continue;
		const property = own ?? (isEntry ? undefined : find(beside, step));
		if (property && !own) names = [];
		names.push(property ? withoutUnit(property.displayName) : step);
		fields = property ? fieldsOf(property) : [];
	}
	return names.join(' > ');
}
