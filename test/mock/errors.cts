/** An answer that is not a success: status, JSON body and further headers. */
export class ApiError extends Error {
	constructor(
		readonly status: number,
		readonly body: ErrorBody,
		readonly headers: Record<string, string> = {},
	) {
		super(body.error);
		this.name = 'ApiError';
	}
}

interface ErrorBody {
	error: string;
	code?: string;
	details?: unknown;
	[extra: string]: unknown;
}

/** One entry of a 400's `details`, as the schema library of the service words them. */
export interface Detail {
	code: string;
	path: readonly PropertyKey[];
	message: string;
}

export const badRequest = (details: readonly Detail[], error: string): ApiError =>
	new ApiError(400, { code: 'BAD_REQUEST', error, details });

export const forbidden = (error = 'Forbidden'): ApiError => new ApiError(403, { error });

export const notFound = (error: string): ApiError => new ApiError(404, { error });

export function timedOut(): ApiError {
	const error =
		'The scrape operation timed out before completing. This happens when a page takes too long to load, render, or process. Possible causes: (1) The website is slow or unresponsive, (2) The page has heavy JavaScript that takes time to execute, (3) The page is very large or has many resources to load, (4) Network latency is high. To fix this, try increasing the timeout parameter in your scrape request, or if using actions, ensure your selectors are correct and the page is ready before actions are executed.';
	return new ApiError(408, { code: 'SCRAPE_TIMEOUT', error });
}
