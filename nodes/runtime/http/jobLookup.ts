import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../api/endpoint';
import { getTeamActivity } from '../api/teamEndpoints';
import type { NotFound } from '../api/errors';

/** A list of the service that shows jobs as they are started. */
export interface JobList {
	endpoint: Endpoint;
	query?: IDataObject;
	/** The response field that holds the jobs. */
	entries: string;
}

/** The team's requests of the last 24 hours of one kind. */
export const activityOf = (kind: string): JobList => ({
	endpoint: getTeamActivity,
	query: { endpoint: kind, limit: 100 },
	entries: 'data',
});

/** The lists that show the job that a request starts, and how to distinguish it from others. */
export interface JobLookup {
	lists: readonly JobList[];
	/** The URLs or the prompt that the lists may show for it. */
	matchBy: readonly string[];
	/** Whether a list entry or a job's status shows that another request has started it. */
	excludes(listed: unknown): boolean;
	/**
	 * Whether it shows all that the service can know of the request besides its target and time, and
	 * all of that matches.
	 */
	proves?(listed: unknown): boolean;
	/**
	 * Whether a list returns the `origin` of each request, in which a start can have its own mark.
	 */
	showsOrigin?: boolean;
}

/** The ID of the recovered job, or why it is unknown. */
export type Found = { id: string } | { notFound: NotFound };

/** The end of a start: a job, none, or no clear response. Times by the monotonic clock. */
export type StartEnd = { id: string } | 'refused' | { lostSince: number };

/** Follows one start. */
export interface StartWatch {
	/**
	 * Searches for the job of a start that was sent at `since` and had no clear response. Never
	 * throws.
	 */
	recover(since: number): Promise<Found>;
	/** Records its end. */
	settle(end: StartEnd): void;
}
