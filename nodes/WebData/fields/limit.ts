import type { INodeProperties } from 'n8n-workflow';
import { boolean, integer, notSent, onlyFor } from '../../runtime/field';
import { form } from '../../runtime/form';

const number = { type: 'number' } as const;

/** Limit on its own, where all would be too dear. */
export const limitField = ({
	initial,
	max,
	description,
	displayOptions,
}: {
	initial: number;
	/** Left out where the service takes any number. */
	max?: number;
	description: string;
	displayOptions?: INodeProperties['displayOptions'];
}): INodeProperties => ({
	...number,
	displayName: 'Limit',
	name: 'limit',
	...(displayOptions && { displayOptions }),
	typeOptions: { minValue: 1, ...(max !== undefined && { maxValue: max }) },
	default: initial,
	description,
});

/** Return All, and the limit where it is off. `default` is chosen by what a result costs: n8n's usual 50 is dear where results are paid for. */
export const limit = ({
	all = false,
	...given
}: {
	/** Whether all are returned unless the user says otherwise: where nothing more is paid for more. */
	all?: boolean;
	default: number;
	max?: number;
	description: string;
}) => ({
	returnAll: notSent(
		boolean({
			displayName: 'Return All',
			default: all,
			description: 'Whether to return all results or only up to a given limit',
		}),
	),
	limit: onlyFor('returnAll', false, integer({ displayName: 'Limit', min: 1, ...given })),
});

/** The properties of `limit`. */
export const limitFields = ({
	initial,
	...given
}: {
	all?: boolean;
	initial: number;
	max?: number;
	description: string;
}): INodeProperties[] => form(limit({ default: initial, ...given })).fields;
