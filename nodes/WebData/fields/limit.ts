import type { INodeProperties } from 'n8n-workflow';

const number = { type: 'number' } as const;

/** Return All and Limit. `initial` is chosen by what a result costs: n8n's usual 50 is dear where results are paid for. */
export const limitFields = ({
	initial,
	max,
	description,
}: {
	initial: number;
	max: number;
	description: string;
}): INodeProperties[] => [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		...number,
		displayName: 'Limit',
		name: 'limit',
		displayOptions: { show: { returnAll: [false] } },
		typeOptions: { minValue: 1, maxValue: max },
		default: initial,
		description,
	},
];
