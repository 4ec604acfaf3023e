import type { Call, Result } from '../../runtime/operation';
import { isRecord } from '../../runtime/record';
import { asRecord, label } from '../../runtime/results';

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const robotsWords = "The site's robots.txt does not allow it";
const invalidWords = 'Not an address that the service can visit';

/** Addresses that a start left out because they are invalid, as results. */
export const invalidResults = (urls: unknown, jobId: string): Result[] =>
	listOf(urls).map((url) => ({
		json: label({ url: String(url) }, { jobId, failed: 'invalid', error: invalidWords }),
	}));

/** The pages of a job that could not be read and those that robots.txt forbids (addendum 6, errors), one result each. */
export async function failureResults(path: string, jobId: string, call: Call): Promise<Result[]> {
	const answer = await call.send({ method: 'GET', path: `${path}/errors`, cost: 'read' });
	const body = asRecord(answer.body);
	// Some versions wrap the lists in `data`.
	const { errors, robotsBlocked } = isRecord(body.data) ? asRecord(body.data) : body;
	return [
		...listOf(errors).map((entry) => ({
			json: label(asRecord(entry), { jobId, failed: 'error' }),
		})),
		...listOf(robotsBlocked).map((url) => ({
			json: label({ url: String(url) }, { jobId, failed: 'robots', error: robotsWords }),
		})),
	];
}
