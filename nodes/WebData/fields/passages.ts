import type { INodeProperties } from 'n8n-workflow';
import { integer, list, withDefault } from '../../runtime/form/field';
import { stringSchema } from '../../runtime/form/schema';

/** Other phrasings of the question; their rankings are fused. */
export const alsoAsk = (shown: Pick<INodeProperties, 'displayOptions'> = {}) =>
	list({
		emptyIsUnset: true,
		displayName: 'Also Ask',
		...shown,
		entry: stringSchema({ max: 500 }),
		max: 5,
		placeholder: 'e.g. grants for heat pumps, funding of heating systems',
		description:
			'Two or three other phrasings of the question, up to 5 of 500 characters, separated by commas, with synonyms and terms that the text is likely to contain',
	});

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
