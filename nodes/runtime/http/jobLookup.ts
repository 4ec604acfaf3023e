import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../api/endpoint';
import { getTeamActivity } from '../api/teamEndpoints';
import type { NotFound } from '../api/errors';

/** A list of the service in which jobs appear as they are started. */
export interface JobList {
	endpoint: Endpoint;
	query?: IDataObject;
	/** The field of its response that holds the jobs. */
	entries: string;
}

/** The team's requests of the last 24 hours of one kind. */
export const activityOf = (kind: string): JobList => ({
	endpoint: getTeamActivity,
	query: { endpoint: kind, limit: 100 },
	entries: 'data',
});

/** Where the service returns something of the job that a request starts, and what tells it from the jobs of other requests. */
export interface JobLookup {
	lists: readonly JobList[];
	/** The URLs or the prompt that the lists may name it by. */
	matchBy: readonly string[];
	/** Whether the entry of a list, or the status of a job, shows that another request has started it. */
	excludes(told: unknown): boolean;
	/** Whether it shows all that the service can know of the request beside target and time, and all of that fits. */
	proves?(told: unknown): boolean;
	/** Whether a list returns the `origin` of each request, in which a start can carry a mark of its own. */
	showsOrigin?: boolean;
}

/** The ID of the job that was looked up, or why it is not known. */
export type Found = { id: string } | { notFound: NotFound };

/** How a start has ended: with a job, without any, or without a response that says so. Times by the monotonic clock. */
export type StartEnd = { id: string } | 'refused' | { lostSince: number };

/** Follows one start beside its response. */
export interface StartWatch {
	/** Looks for the job of a start of which a request that was sent at `since` had no clear response. Never throws. */
	recover(since: number): Promise<Found>;
	/** Notes how it has ended. */
	settle(end: StartEnd): void;
}
