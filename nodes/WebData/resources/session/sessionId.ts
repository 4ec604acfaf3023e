import { field, required } from '../../../runtime/form/field';
import { pathId } from '../../fields/pathId';

/** An ID of a browser session: of any form, for the API's documentation names none. */
export const anySessionId = pathId(200);

/** The browser session that an operation is about. */
export const sessionId = required(
	field(
		{
			displayName: 'Session ID',
			type: 'string',
			default: '',
			placeholder: 'e.g. 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b',
			description: 'ID of the browser session, as Create and Get Many return it',
		},
		anySessionId,
	),
);

export const sessionPath = (id: string) => `/interact/${encodeURIComponent(id)}`;
