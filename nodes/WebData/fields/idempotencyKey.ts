import { ValidationFailure, preview } from '../../runtime/form/schema';
import { string } from '../../runtime/form/field';

/** A UUID in the service's form; it treats any other key as used. */
const pattern =
	/^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}(-0{4}){3}-0{12}|f{8}(-f{4}){3}-f{12})$/;

/**
 * The key by which the service recognizes a repeated start and rejects it
 * (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post).
 */
export const idempotencyKey = string({
	displayName: 'Idempotency Key',
	placeholder: 'e.g. 7c9e6679-7425-40de-944b-e07fc1f90ae7',
	description:
		'UUID that starts a crawl at most once on the hosted service: reusing a key is an error without charge, even if the first start failed. If empty, the node generates one for its own retries. Self-hosted servers do not support keys and may fail.',
	normalize: (value) => {
		const key = value.trim().toLowerCase();
		return pattern.test(key)
			? key
			: new ValidationFailure(
					`must be a UUID such as 7c9e6679-7425-40de-944b-e07fc1f90ae7, not ${preview(value)}`,
				);
	},
});
