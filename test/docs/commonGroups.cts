import type { INodeProperties } from 'n8n-workflow';
import { groupsIn, memberRows, type Elsewhere, type FieldRow } from './fieldRows.cjs';

/** Who has fields: an operation or a trigger, by its heading in the reference. */
export interface Owner {
	heading: string;
	/** What it is part of: the resource; itself for a trigger. */
	part: string;
	fields: INodeProperties[];
}

/** Groups that several resources have and that are described once, by their name in saved workflows. */
const names = [
	'outputOptions',
	'waiting',
	'retries',
	'limits',
	'scrapeOptions',
	'formats',
	'actions',
	'parsers',
	'tbs',
	'targets',
	'notification',
	'webhook',
];

/** One form of a group, and who has it. */
interface Variant {
	group: INodeProperties;
	owners: Owner[];
}

/** A group that is described once for all that have it. */
export interface CommonGroup {
	heading: string;
	variants: Variant[];
	/** All who have it in one of its forms, in the reference's order. */
	owners: Owner[];
}

/** What tells groups apart: all but when they are shown. */
export const keyOf = (group: INodeProperties): string =>
	JSON.stringify({ ...group, displayOptions: undefined });

function commonGroup(owners: Owner[], groupsOf: (owner: Owner) => INodeProperties[]): CommonGroup {
	const variants = new Map<string, Variant>();
	for (const owner of owners) {
		for (const group of groupsOf(owner)) {
			const variant = variants.get(keyOf(group)) ?? { group, owners: [] };
			if (!variant.owners.includes(owner)) variant.owners.push(owner);
			variants.set(keyOf(group), variant);
		}
	}
	const [{ group }] = variants.values();
	return {
		heading: group.displayName,
		variants: [...variants.values()],
		owners: owners.filter((owner) => groupsOf(owner).length > 0),
	};
}

/** Every group that is described once. */
export function commonGroups(owners: Owner[]): CommonGroup[] {
	return names.map((name) =>
		commonGroup(owners, ({ fields }) => groupsIn(fields).filter((each) => each.name === name)),
	);
}

/** Owners in few words: a part by its name when all that have the group in it are meant. */
function ownersText(some: Owner[], all: Owner[]): string {
	const parts = [...new Set(some.map(({ part }) => part))];
	return parts
		.flatMap((part) => {
			const meant = some.filter((owner) => owner.part === part);
			const whole = meant.length === all.filter((owner) => owner.part === part).length;
			return whole && meant.length > 1 ? [part] : meant.map(({ heading }) => heading);
		})
		.join(', ');
}

/** Whom a row is for, in the fewer words; nothing when for all. */
function scope(some: Set<Owner>, all: Owner[]): string[] {
	const others = all.filter((owner) => !some.has(owner));
	if (others.length === 0) return [];
	const meant = all.filter((owner) => some.has(owner));
	const [only, not] = [ownersText(meant, all), ownersText(others, all)];
	return [only.length <= not.length ? `Only for ${only}.` : `Not for ${not}.`];
}

/** The rows of all variants of a group, each once, with whom it is for. */
export function commonRows(
	{ variants, owners: all }: CommonGroup,
	elsewhere: Elsewhere,
): FieldRow[] {
	const found: Array<{ key: string; row: FieldRow; owners: Set<Owner> }> = [];
	for (const { group, owners } of variants) {
		let place = 0;
		for (const row of memberRows(group, elsewhere)) {
			const key = JSON.stringify(row);
			const known = found.findIndex((each) => each.key === key);
			if (known >= 0) {
				owners.forEach((owner) => found[known].owners.add(owner));
				place = known + 1;
			} else {
				found.splice(place, 0, { key, row, owners: new Set(owners) });
				place += 1;
			}
		}
	}
	return found.map(({ row, owners }) => ({
		...row,
		about: [...row.about, ...scope(owners, all)],
	}));
}
