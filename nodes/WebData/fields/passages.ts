import type { INodeProperties } from 'n8n-workflow';
import { wholeNumber } from '../../runtime/contract';

/** Tokens of all passages together unless the user says otherwise. */
const usualTokens = 1_500;

/** How much all passages together may come to. */
export const maxTokensField: INodeProperties = {
	displayName: 'Max Tokens',
	name: 'maxTokens',
	type: 'number',
	typeOptions: { minValue: 100, maxValue: 20_000 },
	default: usualTokens,
	description:
		'How many tokens all passages together may come to, 100 to 20,000; about 4 characters make a token',
};

export const maxTokens = () =>
	wholeNumber({ min: 100, max: 20_000, unit: 'tokens' }).default(usualTokens);
