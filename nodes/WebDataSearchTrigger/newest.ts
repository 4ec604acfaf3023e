import type { Result } from '../runtime/operation';

/** When a result says it was published, in Unix milliseconds; the beginning of time when it does not. */
function publishedAt({ json }: Result): number {
	const { date, publishedDate, createdDate } = json;
	const [first] = [date, publishedDate, createdDate].filter((value) => typeof value === 'string');
	const time = Date.parse(String(first));
	return Number.isNaN(time) ? 0 : time;
}

/** The newest results, as far as they have dates; the best ones where they have none. */
export const newest = (results: Result[], count: number): Result[] =>
	[...results].sort((one, other) => publishedAt(other) - publishedAt(one)).slice(0, count);
