import type { INodeProperties } from 'n8n-workflow';
import { pathId } from '../../fields/pathId';

/** The browser session that an operation is about (addendum 9, stand-alone sessions). */
export const sessionIdField: INodeProperties = {
	displayName: 'Session ID',
	name: 'sessionId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b',
	description: 'ID of the browser session, as Create and Get Many return it',
};

/** Any ID, for the spec names no form. */
export const sessionId = () => pathId(200);

export const sessionPath = (id: string) => `/interact/${encodeURIComponent(id)}`;
