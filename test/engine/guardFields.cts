import type { INodeProperties } from 'n8n-workflow';
import { resources } from '../../nodes/WebData/resources';
import { withoutUnit } from '../../nodes/runtime/form/field';
import { fieldPlaces, type FieldPlace } from './fieldPlaces.cjs';

/** Expressions that come to nothing, in words. */
export const nothings = {
	undefined: '={{ undefined }}',
	null: '={{ null }}',
	'an empty text': '={{ "" }}',
	'an empty object': '={{ {} }}',
};

/** Choices, lists and groups that bound cost, or protect data or people. */
const protecting = new Set(['enterprise', 'redactPII']);

/** Names that only fields have which bound cost, or protect data or people. */
export const guardWords =
	/credits|budget|retention|redact|threat|lockdown|injection|unsigned|enterprise/i;

/** Lists with such a name, and switches, that protect nobody. */
export const harmless = new Set([
	// Puts results in another order.
	'tbs.sortByDate',
	// More comes out, and is paid for, only where they are on.
	'scrapeResults',
	'returnAll',
	'returnFailed',
]);

/** A guard of an operation. */
export interface Guard {
	name: string;
	resource: string;
	operation: string;
	place: FieldPlace;
}

/** The name of a field, and of the group or list that holds it where there is one. */
export const nameOf = ({ way }: FieldPlace) => way.slice(-2).join('.');

/** Whether a field counts as a guard: every number and switch does. */
export const isGuard = (place: FieldPlace): boolean =>
	!harmless.has(nameOf(place)) &&
	(['number', 'boolean'].includes(place.field.type) ||
		[nameOf(place), place.field.name].some((name) => protecting.has(name)));

/** The guards among fields that an expression can give: n8n takes none for a whole group, and the schedule of a polling trigger is its own. */
export const guardsOf = (fields: readonly INodeProperties[]): FieldPlace[] =>
	fieldPlaces(fields).filter(
		(place) => place.way[0] !== 'pollTimes' && place.field.type !== 'collection' && isGuard(place),
	);

/** The guards of all operations, each definition of one once. */
export const operationGuards = (): Guard[] => {
	const seen = new Set<string>();
	return resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(({ value: operation, fields }) =>
			guardsOf(fields).flatMap((place) => {
				const definition = JSON.stringify([place.way, place.field]);
				if (seen.has(definition)) return [];
				seen.add(definition);
				return [
					{ name: `${resource}: ${operation}, ${place.way.join('.')}`, resource, operation, place },
				];
			}),
		),
	);
};

/** The words of the refusal; a field that is always needed is missed as ever. */
export const refusal = ({ field }: FieldPlace) =>
	new RegExp(
		`'([^']* > )?${withoutUnit(field.displayName).replace(/[()]/g, '.')}' (has no value|is required)`,
	);
