import type { INodeProperties } from 'n8n-workflow';
import type { Resource } from './operation';

/** An operation as n8n chooses fields for it: by resource and operation. */
interface Chooser {
	resource: string;
	operation: string;
	/** Its fields' keys in their order: see `SharedField`. */
	keys: string[];
}

/** A field as it is described once, for all operations that have it. */
interface SharedField {
	/** The field as text: equal for equal fields. */
	key: string;
	field: INodeProperties;
	choosers: Chooser[];
}

const unique = <Value>(values: Value[]): Value[] => [...new Set(values)];
const resourcesOf = (choosers: Chooser[]) => unique(choosers.map(({ resource }) => resource));
const operationsOf = (choosers: Chooser[]) => unique(choosers.map(({ operation }) => operation));

/** Whether n8n, which looks at resource and operation apart, shows a field to these operations and no others. */
function isExact(choosers: Chooser[], all: Chooser[]): boolean {
	const resources = resourcesOf(choosers);
	const operations = operationsOf(choosers);
	const shown = all.filter(
		({ resource, operation }) => resources.includes(resource) && operations.includes(operation),
	);
	return shown.length === choosers.length;
}

/** The operations that have a field, in as few groups as can be shown exactly: resource by resource, joined where they fit. */
function groupsOf(choosers: Chooser[], all: Chooser[]): Chooser[][] {
	const groups: Chooser[][] = [];
	for (const name of resourcesOf(choosers)) {
		const own = choosers.filter(({ resource }) => resource === name);
		const fitting = groups.findIndex((group) => isExact([...group, ...own], all));
		if (fitting < 0) groups.push(own);
		else groups[fitting].push(...own);
	}
	return groups;
}

/**
 * One order of shared fields that is every operation's own: a field comes out when none before it is
 * left, after one of the same name if it can, for what is alike is compressed best side by side. Where
 * operations disagree, the field that most of them have is given back, to be taken apart.
 */
function inOrder(fields: SharedField[], all: Chooser[]): SharedField[] | SharedField {
	const chains = all.map(({ keys }, at) =>
		fields
			.filter(({ choosers }) => choosers.includes(all[at]))
			.sort((one, other) => keys.indexOf(one.key) - keys.indexOf(other.key)),
	);
	const ordered = new Set<SharedField>();
	/** Whether all that an operation has before the field are out. */
	const isReady = (field: SharedField) =>
		chains.every((chain) => {
			const before = chain[chain.indexOf(field) - 1];
			return before === undefined || ordered.has(before);
		});
	let last: string | undefined;
	while (ordered.size < fields.length) {
		const left = fields.filter((field) => !ordered.has(field));
		const ready = left.filter(isReady);
		const held = new Set(left.filter((one) => !ready.includes(one)).map(({ field }) => field.name));
		const next =
			ready.find(({ field }) => field.name === last) ??
			ready.find(({ field }) => !held.has(field.name)) ??
			ready[0];
		if (!next)
			return left.reduce((one, other) =>
				other.choosers.length > one.choosers.length ? other : one,
			);
		ordered.add(next);
		last = next.field.name;
	}
	return [...ordered];
}

function shownFor({ field, choosers }: SharedField): INodeProperties {
	const { show, ...rest } = field.displayOptions ?? {};
	const where = { resource: resourcesOf(choosers), operation: operationsOf(choosers) };
	return { ...field, displayOptions: { ...rest, show: { ...where, ...show } } };
}

/**
 * The fields of all operations, each shown for those that have it. What several have alike is
 * described once: the description goes to every browser that opens the editor.
 */
export function dedupeFields(resources: Resource[]): INodeProperties[] {
	const choosersOf = new Map<string, { field: INodeProperties; choosers: Chooser[] }>();
	const all = resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => {
			const keys = operation.fields.map((field) => JSON.stringify(field));
			const chooser = { resource, operation: operation.value, keys };
			for (const [index, key] of keys.entries()) {
				const entry = choosersOf.get(key) ?? { field: operation.fields[index], choosers: [] };
				entry.choosers.push(chooser);
				choosersOf.set(key, entry);
			}
			return chooser;
		}),
	);
	let fields = [...choosersOf].flatMap(([key, { field, choosers }]) =>
		groupsOf(choosers, all).map((group) => ({ key, field, choosers: group })),
	);
	for (;;) {
		const ordered = inOrder(fields, all);
		if (Array.isArray(ordered)) return ordered.map(shownFor);
		fields = fields.flatMap((each) =>
			each === ordered
				? each.choosers.map((chooser) => ({ ...each, choosers: [chooser] }))
				: [each],
		);
	}
}
