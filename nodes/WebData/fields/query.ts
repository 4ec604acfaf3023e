import type { INodeProperties } from 'n8n-workflow';
import { required, string } from '../../runtime/field';
import { propertiesOf } from '../../runtime/form';

interface Shown {
	placeholder: string;
	description: string;
}

/** What is searched for. */
export const query = (shown: Shown) => required(string({ displayName: 'Query', ...shown }));

/** Its property in the editor. */
export const queryField = (shown: Shown): INodeProperties => {
	const [property] = propertiesOf({ query: query(shown) });
	return property;
};
