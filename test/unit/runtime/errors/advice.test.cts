import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebDataApi } from '../../../../credentials/WebDataApi.credentials';
import { resources } from '../../../../nodes/WebData/resources';
import { withoutUnit } from '../../../../nodes/runtime/form/field';
import { projectRoot } from '../../../root.cjs';
import { serviceError } from '../../../../nodes/runtime/http/serviceError';
import { errorSource } from '../../schemaAssertions.cjs';

const adviceFor = (status: number, body: object, tooLong?: number) =>
	serviceError(
		{ response: { status, headers: {}, body: { success: false, ...body } } },
		{ attemptCount: 1, elapsed: 0, retrySafety: 'free', tooLong },
		errorSource(),
	).description ?? '';

/** The display names of everything in a description. */
const namesIn = (described: unknown): string[] =>
	[...JSON.stringify(described).matchAll(/"(?:displayName|name)":"([^"]*)"/g)].flatMap(
		([, name]) => [name, withoutUnit(name)],
	);

describe('The advice of an error', () => {
	it.each([
		[400, 'Invalid URL: https://shop.example/suspended-lamps', /blocked|support/],
		[400, 'Invalid URL: "https://a.example/is-the-IP-allowed"', /IP addresses/],
		[400, 'Invalid URL: https://a.example/check-running-shoes', /check of this monitor/],
		[400, 'No such profile: /busy/in use', /Another session/],
		[409, 'Cannot use https://a.example/idempotency key', /used before/],
	])('ignores what the message of a %i quotes: %s', (status, error, wrong) => {
		expect(adviceFor(status, { error })).not.toMatch(wrong);
	});

	it('of a 403 blames neither key nor plan where the message names the cause', () => {
		const advice = adviceFor(403, { error: 'This website is no longer supported' });
		expect(advice).toMatch(/site is not supported/);
		expect(advice).not.toMatch(/scope|key lacks/);
	});

	it('names the time of the next attempt only if the server does', () => {
		expect(adviceFor(408, { error: 'Slow' }, 60_000)).not.toMatch(/allows none before/);
		expect(adviceFor(500, { error: 'Oh' }, 60_000)).not.toMatch(/allows none before/);
		expect(adviceFor(429, { error: 'Retry after 60s' }, 60_000)).toMatch(/allows none before/);
	});

	it('names fields and operations as the editor does', () => {
		const source = readFileSync(join(projectRoot, 'nodes/runtime/errors/advice.ts'), 'utf8');
		const labels = [...source.matchAll(/`[^`]*`/g)].flatMap(([text]) =>
			[...text.matchAll(/'([A-Z][^']*)'/g)].map(([, label]) => label),
		);
		const shown = new Set([...namesIn(resources), ...namesIn(new WebDataApi())]);
		expect(labels.length).toBeGreaterThan(15);
		expect(labels.filter((label) => !shown.has(label))).toEqual([]);
	});
});
