import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../../root.cjs';
import type { Replayed } from './replay.cjs';

/**
 * Differences that stay between the recorded server and the mock server. An entry covers a difference if
 * it names it, its endpoint and, where there are any, its exchange.
 */
export interface AcceptedDifferences {
	/**
	 * `hosted`: the hosted service behaves otherwise. `lacking`: the recorded machine lacked a part.
	 * `site`: the pages, the time or the order in the replay are others. `simpler`: the mock server does
	 * not imitate it, because no request of the nodes depends on it.
	 */
	kind: 'hosted' | 'lacking' | 'site' | 'simpler';
	reason: string;
	endpoints: string[];
	/** As the replay words them: recorded → mock server. */
	differences: string[];
	exchanges?: string[];
}

/** The table of differences. */
export function acceptedDifferences(): AcceptedDifferences[] {
	const file = join(projectRoot, 'test/mock-server/recorded/differences.json');
	const entries: AcceptedDifferences[] = JSON.parse(readFileSync(file, 'utf8'));
	return entries;
}

/** What the replay found and what the table says of it. */
export interface Verdict {
	/** Differences that no entry covers. */
	unexpected: string[];
	/** Parts of entries that no longer occur. */
	stale: string[];
}

/** Compares what the replay found with the table. */
export function judge(
	replayed: readonly Replayed[],
	table: readonly AcceptedDifferences[],
): Verdict {
	const left = table.map(({ reason, endpoints, differences, exchanges = [] }) => ({
		reason,
		parts: new Set([...endpoints, ...differences, ...exchanges]),
	}));
	const unexpected: string[] = [];
	for (const { endpoint, exchange, differences } of replayed) {
		for (const difference of differences) {
			const index = table.findIndex(
				(entry) =>
					entry.endpoints.includes(endpoint) &&
					entry.differences.includes(difference) &&
					(entry.exchanges?.includes(exchange) ?? true),
			);
			if (index < 0) unexpected.push(`${exchange} | ${endpoint} | ${difference}`);
			else for (const part of [endpoint, exchange, difference]) left[index].parts.delete(part);
		}
	}
	const stale = left.flatMap(({ reason, parts }) =>
		[...parts].map((part) => `${part} | ${reason}`),
	);
	return { unexpected, stale };
}
