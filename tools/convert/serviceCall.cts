import type { Json, JsonObject } from './json.cjs';

/** What a node asks of the service, in the form of its API v2. */
export interface ServiceCall {
	/** Method and path without version, such as `GET /crawl/{id}`. */
	endpoint: string;
	/** The ID in the path. */
	id?: Json;
	body: JsonObject;
	/** Code of an object that is merged over the body when the node runs. */
	overriding?: string;
	/** Version of the API that the node asks today. */
	version: 'v0' | 'v1' | 'v2';
	/** Where the response stands in the node's item. */
	wrapper: 'none' | 'data' | 'body';
	/** Whether the node waits for the job that it starts, and for how many minutes. */
	waits?: Json;
	/** Whether items go on by the same way after a failure, which has no `success`. */
	continues?: boolean;
	/** What has no counterpart, one sentence each. */
	lost: string[];
	/** What the converted node does otherwise, as meant. */
	notes: string[];
}

/** Why a node stays as it is. */
export interface Refusal {
	reason: string;
}

export const isRefusal = (value: object): value is Refusal => 'reason' in value;
