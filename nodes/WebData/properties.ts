import { describe, subtitleBy } from './describe';
import { resources } from './resources';

/** The node's parameters. The build puts the values in this module's place, so that loading the node computes nothing. */
export const properties = describe(resources);

/** The text below the node: its action and what it works on. */
export const subtitle = subtitleBy(
	Object.fromEntries(
		resources.flatMap(({ value: resource, operations }) =>
			operations.map(({ value, action }) => [`${resource}.${value}`, action]),
		),
	),
	'$parameter["resource"] + "." + $parameter["operation"]',
);
