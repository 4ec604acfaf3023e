import type { INodeProperties } from 'n8n-workflow';
import { boolean, integer, notSent, onlyFor } from '../../runtime/field';
import { propertiesOf } from '../../runtime/form';

interface Given {
	default: number;
	/** Left out where the service takes any number. */
	max?: number;
	description: string;
}

const limitAlone = (given: Given) => integer({ displayName: 'Limit', min: 1, ...given });

/** The property of a limit on its own, where all would be too dear. */
export const limitField = ({
	initial,
	...given
}: Omit<Given, 'default'> & { initial: number }): INodeProperties => {
	const [property] = propertiesOf({ limit: limitAlone({ default: initial, ...given }) });
	return property;
};

/** Return All, and the limit where it is off. `default` is chosen by what a result costs: n8n's usual 50 is dear where results are paid for. */
export const limit = ({
	all = false,
	...given
}: Given & {
	/** Whether all are returned unless the user says otherwise: where nothing more is paid for more. */
	all?: boolean;
}) => ({
	returnAll: notSent(
		boolean({
			displayName: 'Return All',
			default: all,
			description: 'Whether to return all results or only up to a given limit',
		}),
	),
	limit: onlyFor('returnAll', false, limitAlone(given)),
});

/** The properties of `limit`. */
export const limitFields = ({
	initial,
	...given
}: Omit<Given, 'default'> & { initial: number }): INodeProperties[] =>
	propertiesOf(limit({ default: initial, ...given }));
