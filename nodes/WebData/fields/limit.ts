import type { INodeProperties } from 'n8n-workflow';

const number = { type: 'number' } as const;

const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

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

/** Return All and Limit. `initial` is chosen by what a result costs: n8n's usual 50 is dear where results are paid for. */
export const limitFields = ({
	all = false,
	initial,
	max,
	description,
}: {
	/** Whether all are returned unless the user says otherwise: where nothing more is paid for more. */
	all?: boolean;
	initial: number;
	max?: number;
	description: string;
}): INodeProperties[] => [
	{ ...returnAll, default: all },
	limitField({ initial, max, description, displayOptions: { show: { returnAll: [false] } } }),
];
