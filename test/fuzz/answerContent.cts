import type { Change } from './answerProxy.cjs';

/** Members that say how to go on, and not what was found. */
const structural =
	/^(status|state|success|type|code|errorCode|kind|event|id|.*Id|.*_id|ids|next|cursor|provider|capability|level|method|upload.*|url|.*Url|.*URL|.*At|.*_at|expires.*|date|.*Date|endpoint|jobs|source|cron|timezone|retentionDays|month|period.*|start.*|end.*)$/;

/** Makes something else of a text, a number or a list of an answer, whose member has a name. */
export type Visit = (value: unknown, name: string) => unknown;

/** The same value with each text, number or list of found content replaced. */
function mapped(value: unknown, visit: Visit, name = ''): unknown {
	if (Array.isArray(value)) {
		return visit(
			value.map((entry) => mapped(entry, visit, name)),
			name,
		);
	}
	if (typeof value !== 'object' || value === null) {
		return structural.test(name) ? value : visit(value, name);
	}
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [key, mapped(member, visit, key)]),
	);
}

/** Found content replaced, from the inside out. */
export const inBody =
	(visit: Visit): Change =>
	(answer) => ({ ...answer, body: mapped(answer.body, visit) });

/** Every text of the content replaced. */
export const texts = (change: (text: string) => string): Change =>
	inBody((value) => (typeof value === 'string' ? change(value) : value));

/** Every text replaced by a long one, of so many characters together. */
export const runsOf =
	(unit: string, size: number): Change =>
	(answer) => {
		let count = 0;
		mapped(answer.body, (value) => (typeof value === 'string' ? (count += 1) : value));
		const length = Math.max(1, Math.floor(size / Math.max(1, count) / unit.length));
		return texts(() => unit.repeat(length))(answer);
	};
