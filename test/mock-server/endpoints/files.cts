import type { Context } from '../context.cjs';
import { ApiError } from '../errors.cjs';
import type { OpenEndpoint } from '../pipeline.cjs';

/** Signed links: anybody who has one may open it, until it dies (403, as object stores answer). */
export function fileEndpoints(context: Context): OpenEndpoint[] {
	return [
		{
			method: 'GET',
			path: '/_files/:id/:name',
			open({ params }) {
				const file = context.files.open(params.id);
				if (!file) throw new ApiError(403, { error: 'The link has expired' });
				return { headers: { 'content-type': file.contentType }, body: file.body };
			},
		},
	];
}
