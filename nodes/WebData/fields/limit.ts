import { isOn } from '../../runtime/form/schema';
import { boolean, editorOnly, integer, notSent, onlyFor } from '../../runtime/form/field';

interface Given {
	default: number;
	/** Omitted if the service has no maximum. */
	max?: number;
	description: string;
}

/** A limit without Return All, which would be too expensive. */
export const limitAlone = (given: Given) => integer({ displayName: 'Limit', min: 1, ...given });

const returnAll = (initial: boolean) =>
	boolean({
		displayName: 'Return All',
		default: initial,
		description: 'Whether to return all results or only up to a given limit',
	});

/**
 * Return All, and the limit if it is off. `default` depends on a result's price: n8n's usual 50 is
 * expensive for paid results.
 */
export const limit = ({
	all = false,
	...given
}: Given & {
	/** Whether Return All is on by default: if more results cost nothing more. */
	all?: boolean;
}) => ({
	returnAll: notSent(returnAll(all)),
	limit: onlyFor('returnAll', false, limitAlone(given)),
});

/** Same as `limit`, with the service's maximum, which Return All requests. */
export const limitUpTo = (max: number, given: Omit<Given, 'max'>) => ({
	returnAll: editorOnly(returnAll(false)),
	limit: {
		...onlyFor('returnAll', false, limitAlone({ ...given, max })),
		condition: undefined,
		read: ({ returnAll: all, limit: some }: Readonly<Record<string, unknown>>) =>
			isOn(all) ? max : some,
	},
});

/** The number of results from an index without pagination. */
export const numberOfResults = (description: string) =>
	integer({ displayName: 'Number of Results', min: 1, max: 100, default: 10, description });
