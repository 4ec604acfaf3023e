import { structuredPatch } from 'diff';

import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { lineDiff } from '../scrape/changeTracking.cjs';
import type { Change } from './judge.cjs';

/** Of the text, of the extraction, or of both; `json` is the text's parsed diff, or one entry per field. */
export interface PageDiff {
	text?: string;
	json?: { files: unknown[] } | Record<string, FieldDiff>;
}

interface FieldDiff {
	previous: unknown;
	current: unknown;
}

/** What of a page is compared. */
export interface Reading {
	markdown: string;
	json: unknown;
}

/** How a target's pages are compared: by text, by extraction (`json`), or by both. */
export type Comparison = 'text' | 'json' | 'mixed';

/** What the target's formats ask for. */
export function comparisonOf({ formats = [] }: ScrapeOptions): Comparison {
	const tracking = formats.find((format) => format.type === 'changeTracking');
	const extracts = formats.some(({ type }) => type === 'json' || type === 'deterministicJson');
	const byJson = tracking?.modes?.includes('json') ?? false;
	if (!extracts && !byJson) return 'text';
	return tracking?.modes?.includes('git-diff') ? 'mixed' : 'json';
}

/** The options with which a target's pages are scraped: fresh, as text, with the extraction if one is asked for. */
export function readingOptions(options: ScrapeOptions): ScrapeOptions {
	const { formats = [] } = options;
	const tracking = formats.find((format) => format.type === 'changeTracking');
	const others = formats.filter(
		({ type }) => type !== 'changeTracking' && type !== 'markdown' && type !== 'rawBase64',
	);
	const extracts = others.some(({ type }) => type === 'json' || type === 'deterministicJson');
	const { schema, prompt } = tracking ?? {};
	const adds = !extracts && tracking?.modes?.includes('json');
	return {
		maxAge: 0,
		...options,
		formats: [
			{ type: 'markdown' },
			...others,
			...(adds ? [{ type: 'json' as const, schema, prompt }] : []),
		],
	};
}

/** What is different between two readings of a page; undefined when nothing is. */
export function compare(
	before: Reading,
	after: Reading,
	comparison: Comparison,
): { diff: PageDiff; changes: Change[] } | undefined {
	// Lines are compared whole: a last one without its end would differ from itself.
	const [previous, current] = [`${before.markdown}\n`, `${after.markdown}\n`];
	const text =
		comparison !== 'json' && previous !== current ? lineDiff(previous, current) : undefined;
	const fields = comparison === 'text' ? {} : fieldDiff(before.json, after.json);
	const byField = Object.keys(fields).length > 0;
	if (!text && !byField) return undefined;
	return {
		diff: {
			...(text && { text: text.text }),
			...(comparison === 'text' && text ? { json: text.json } : { json: fields }),
		},
		changes: [
			...(text ? textChanges(previous, current) : []),
			...Object.entries(fields).map(([path, each]) => fieldChange(path, each)),
		],
	};
}

/** Neighbouring lines that went and came are one change. */
function textChanges(before: string, after: string): Change[] {
	const { hunks } = structuredPatch('', '', before, after, '', '', { context: 0 });
	return hunks.map(({ lines }) => {
		const of = (sign: string): string =>
			lines
				.filter((line) => line.startsWith(sign))
				.map((line) => line.slice(1))
				.join('\n');
		return change(of('-') || null, of('+') || null);
	});
}

function fieldChange(path: string, { previous, current }: FieldDiff): Change {
	const text = (value: unknown): string | null =>
		value === undefined || value === null ? null : `${path}: ${JSON.stringify(value)}`;
	return change(text(previous), text(current));
}

function change(before: string | null, after: string | null): Change {
	if (before === null) return { type: 'added', before, after };
	return { type: after === null ? 'removed' : 'changed', before, after };
}

/** The values that differ, by their path, e.g. `plans[0].price`. */
function fieldDiff(before: unknown, after: unknown): Record<string, FieldDiff> {
	const [previous, current] = [leaves(before), leaves(after)];
	const paths = new Set([...previous.keys(), ...current.keys()]);
	return Object.fromEntries(
		[...paths]
			.map((path) => [path, { previous: previous.get(path), current: current.get(path) }] as const)
			.filter(([, each]) => JSON.stringify(each.previous) !== JSON.stringify(each.current)),
	);
}

function leaves(value: unknown, path = ''): Map<string, unknown> {
	if (Array.isArray(value) && value.length > 0) {
		return new Map(value.flatMap((each, index) => [...leaves(each, `${path}[${index}]`)]));
	}
	if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
		return new Map(
			Object.entries(value).flatMap(([name, each]) => [
				...leaves(each, path ? `${path}.${name}` : name),
			]),
		);
	}
	return value === undefined ? new Map() : new Map([[path, value]]);
}
