import type { INodeProperties } from 'n8n-workflow';
import type { Resource } from './operation';

/** An operation as display options name it: by resource and value. */
interface OperationFields {
	resource: string;
	operation: string;
	/** The keys of its fields, in their order. */
	keys: string[];
}

/** A field, described once for all operations that have it. */
interface SharedField {
	/** The field as JSON: equal for equal fields. */
	key: string;
	field: INodeProperties;
	operations: OperationFields[];
}

const unique = <Value>(values: Value[]): Value[] => [...new Set(values)];
const resourcesOf = (operations: OperationFields[]) =>
	unique(operations.map(({ resource }) => resource));
const operationsOf = (operations: OperationFields[]) =>
	unique(operations.map(({ operation }) => operation));

/**
 * Whether display options, which check resource and operation separately, can select exactly these
 * operations.
 */
function isExact(operations: OperationFields[], all: OperationFields[]): boolean {
	const resources = resourcesOf(operations);
	const values = operationsOf(operations);
	const shown = all.filter(
		({ resource, operation }) => resources.includes(resource) && values.includes(operation),
	);
	return shown.length === operations.length;
}

/**
 * The fewest groups of operations that display options can select exactly: by resource, merged if
 * they fit.
 */
function groupsOf(operations: OperationFields[], all: OperationFields[]): OperationFields[][] {
	const groups: OperationFields[][] = [];
	for (const name of resourcesOf(operations)) {
		const own = operations.filter(({ resource }) => resource === name);
		const fitting = groups.findIndex((group) => isExact([...group, ...own], all));
		if (fitting < 0) groups.push(own);
		else groups[fitting].push(...own);
	}
	return groups;
}

/**
 * Sorts shared fields topologically, so that each operation keeps its own order. Ties go to the
 * previous field's name, because equal neighbours compress best. In a cycle, returns the field that
 * most operations have, to be split.
 */
function sortFields(fields: SharedField[], all: OperationFields[]): SharedField[] | SharedField {
	const chains = all.map(({ keys }, at) =>
		fields
			.filter(({ operations }) => operations.includes(all[at]))
			.sort((one, other) => keys.indexOf(one.key) - keys.indexOf(other.key)),
	);
	const ordered = new Set<SharedField>();
	/** Whether all fields that an operation has before this one are sorted. */
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
				other.operations.length > one.operations.length ? other : one,
			);
		ordered.add(next);
		last = next.field.name;
	}
	return [...ordered];
}

function shownFor({ field, operations }: SharedField): INodeProperties {
	const { show, ...rest } = field.displayOptions ?? {};
	const where = { resource: resourcesOf(operations), operation: operationsOf(operations) };
	return { ...field, displayOptions: { ...rest, show: { ...where, ...show } } };
}

/**
 * Merges the fields of all operations, each shown for those that have it. Every browser that opens
 * the editor downloads the node's description, so equal fields are in it once.
 */
export function dedupeFields(resources: Resource[]): INodeProperties[] {
	const choosersOf = new Map<string, { field: INodeProperties; operations: OperationFields[] }>();
	const all = resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => {
			const keys = operation.fields.map((field) => JSON.stringify(field));
			const chooser = { resource, operation: operation.value, keys };
			for (const [index, key] of keys.entries()) {
				const entry = choosersOf.get(key) ?? { field: operation.fields[index], operations: [] };
				entry.operations.push(chooser);
				choosersOf.set(key, entry);
			}
			return chooser;
		}),
	);
	let fields = [...choosersOf].flatMap(([key, { field, operations }]) =>
		groupsOf(operations, all).map((group) => ({ key, field, operations: group })),
	);
	for (;;) {
		const ordered = sortFields(fields, all);
		if (Array.isArray(ordered)) return ordered.map(shownFor);
		fields = fields.flatMap((each) =>
			each === ordered
				? each.operations.map((chooser) => ({ ...each, operations: [chooser] }))
				: [each],
		);
	}
}
