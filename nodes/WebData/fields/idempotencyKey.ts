import { randomUUID } from 'node:crypto';
import type { INodeProperties } from 'n8n-workflow';
import { uuid } from './uuid';

/** By this key the service knows a start again, so that a repeated one never bills twice (addendum 6; sdk-facts 8). */
export const idempotencyKeyField: INodeProperties = {
	displayName: 'Idempotency Key',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. 7c9e6679-7425-40de-944b-e07fc1f90ae7',
	description:
		'UUID by which the service starts a job only once. When empty, the node makes one, which holds for its own repeats; set it to be safe when the whole workflow is run again.',
};

/** Contract of a key. */
export const idempotencyKey = uuid;

/** The header of a start: the user's key, or a new one that all repeats of the request share. */
export const idempotencyHeader = (key: string = randomUUID()) => ({ 'x-idempotency-key': key });
