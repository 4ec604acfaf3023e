import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../root.cjs';
import { recordedExchanges } from '../mock-server/recorded/exchanges.cjs';
import { ages, lackOf, lacksEndpoint, type Age } from '../mock-server/servers.cjs';
import { namedEndpoints, type NamedEndpoint } from './endpoints.cjs';

const id = '0198a1b2-0000-7000-8000-000000000000';

/** Method and path as the mock server and the recordings name them. */
const asSent = ({ method, path }: NamedEndpoint) => `${method} /v2${path.replace(/\{\w+\}/g, id)}`;

/** The months in which servers of an age came to have what those before them lack. */
const months: Record<Age, unknown[]> = {
	'2025-08': [undefined],
	'2026-04': ['April 2026'],
	'2026-08': ['May 2026', 'August 2026'],
	newest: ['October 2026'],
};

/** Since when servers have an endpoint, by the profiles of the mock server. */
function sinceBy(endpoint: string): unknown[] {
	if (lacksEndpoint({ age: 'newest', selfHosted: true }, endpoint)) return ['hosted'];
	const first = ages.find((age) => !lacksEndpoint({ age, selfHosted: false }, endpoint));
	return months[first ?? 'newest'];
}

/** What a server of one's own has answered to an endpoint, in the mock server's profiles and the recordings. */
function answersTo(named: NamedEndpoint): Array<{ status: number; body?: unknown }> {
	const endpoint = asSent(named);
	const path = new RegExp(`^${endpoint.split(' ')[1].replaceAll(id, '[^/?]+')}(\\?|$)`);
	const recorded = recordedExchanges()
		.flatMap(({ steps }) => steps)
		.filter(({ request }) => request.method === named.method && path.test(request.path))
		.map(({ response }) => response);
	const lack = lackOf({ age: 'newest', selfHosted: true }, endpoint);
	return [...recorded, ...(lack ? [{ status: 200, ...lack }] : [])];
}

/** What is wrong or missing of an endpoint's facts. */
function faultsOf(named: NamedEndpoint): string[] {
	const { since, instead, needsDatabase, keepsNone, bucket } = named.facts;
	const answers = answersTo(named);
	const statuses = new Set(answers.map(({ status }) => status));
	const isMissing = answers.some(({ status, body }) => status === 404 && typeof body === 'string');
	const works = answers.some(({ status }) => status < 300);
	const expected = sinceBy(asSent(named));
	const isHostedAlone = since === 'hosted' && statuses.has(500) && !works;
	const wanted: Array<[isRight: boolean, fact: string]> = [
		[typeof bucket === 'string', 'bucket'],
		[expected.includes(since) || isHostedAlone, `since (${expected.join(' or ')})`],
		[!isMissing || since !== undefined, 'since (a recorded server has no such path)'],
		[works || !statuses.has(500) || needsDatabase === true, 'needsDatabase (500 without one)'],
		[
			works || !statuses.has(404) || isMissing || needsDatabase === true,
			'needsDatabase (finds nothing without one)',
		],
		[needsDatabase !== true || !works, 'needsDatabase (works without one)'],
		[
			works || answers.length === 0 || since !== undefined || instead !== undefined,
			'since or instead (no server of one’s own has answered)',
		],
		[keepsNone === undefined || instead !== undefined, 'instead (where nothing is kept)'],
	];
	return wanted
		.filter(([isRight]) => !isRight)
		.map(([, fact]) => `${named.file}: ${named.method} ${named.path}: ${fact}`);
}

/** The endpoints of the buckets that docs/api-notes.md lists in full, as `bucket: method path`. */
function notedBuckets(): string[] {
	const notes = readFileSync(join(projectRoot, 'docs/api-notes.md'), 'utf8').replace(/\s+/g, ' ');
	const lists = notes.matchAll(/\*(\w+)\*: ((?:(?:, | and )?`[^`]+`)+)/g);
	return [...lists].flatMap(([, bucket, list]) =>
		[...list.matchAll(/`([^`]+)`/g)].map(([, endpoint]) =>
			endpoint.startsWith('/') ? `${bucket}: POST ${endpoint}` : `${bucket}: ${endpoint}`,
		),
	);
}

describe('the endpoints that the node sends to', () => {
	const all = namedEndpoints();

	it('are all found in the sources, each named once', () => {
		const names = all.map(({ method, path }) => `${method} ${path}`);
		expect(names.length).toBeGreaterThan(35);
		expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
	});

	it('stand in the buckets that the notes on the API list', () => {
		const noted = notedBuckets();
		const listed = new Set(noted.map((each) => each.split(':')[0]));
		const named = all
			.filter(({ facts }) => listed.has(String(facts.bucket)))
			.map(({ method, path, facts }) => `${String(facts.bucket)}: ${method} ${path}`);
		expect(listed.size).toBe(6);
		expect(named.sort()).toEqual(noted.sort());
	});

	it('have the facts that the mock server and the recordings tell', () => {
		expect(all.flatMap(faultsOf)).toEqual([]);
	});
});
