import { isOn } from '../../runtime/form/schema';
import { boolean, editorOnly, integer, notSent, onlyFor } from '../../runtime/form/field';

interface Given {
	default: number;
	/** Left out where the service takes any number. */
	max?: number;
	description: string;
}

/** A limit on its own, where all would be too dear. */
export const limitAlone = (given: Given) => integer({ displayName: 'Limit', min: 1, ...given });

const returnAll = (initial: boolean) =>
	boolean({
		displayName: 'Return All',
		default: initial,
		description: 'Whether to return all results or only up to a given limit',
	});

/** Return All, and the limit where it is off. `default` is chosen by what a result costs: n8n's usual 50 is dear where results are paid for. */
export const limit = ({
	all = false,
	...given
}: Given & {
	/** Whether all are returned unless the user says otherwise: where nothing more is paid for more. */
	all?: boolean;
}) => ({
	returnAll: notSent(returnAll(all)),
	limit: onlyFor('returnAll', false, limitAlone(given)),
});

/** As `limit`, where the service returns so many at most: for all, that number is asked for. */
export const limitUpTo = (max: number, given: Omit<Given, 'max'>) => ({
	returnAll: editorOnly(returnAll(false)),
	limit: {
		...onlyFor('returnAll', false, limitAlone({ ...given, max })),
		condition: undefined,
		read: ({ returnAll: all, limit: some }: Readonly<Record<string, unknown>>) =>
			isOn(all) ? max : some,
	},
});
