import type { INodeProperties } from 'n8n-workflow';
import { integer, withDefault } from '../../runtime/form/field';

/** Default tokens of all passages together. */
const defaultTokens = 1_500;

/** Most tokens of all passages together. */
export const maxTokens = (shown: Pick<INodeProperties, 'displayOptions'> = {}) =>
	withDefault(
		integer({
			displayName: 'Max Tokens',
			...shown,
			min: 100,
			max: 20_000,
			unit: 'tokens',
			default: defaultTokens,
			description:
				'Max number of tokens for all passages, 100 to 20,000; a token is about 4 characters',
		}),
		defaultTokens,
	);
