import { z } from 'zod/v3';
import { z as z4 } from 'zod/v4';
import { resources } from '../../../../nodes/WebData/resources';
import { stamps, strict } from '../../../mock/schemas/fields.cjs';
import {
	crawlRequest,
	mapRequest,
	paramsPreviewRequest,
	parseAgent,
	parseBatch,
} from '../../../mock/schemas/jobs.cjs';
import { createMonitor, updateMonitor } from '../../../mock/schemas/monitor.cjs';
import { parseOptions } from '../../../mock/schemas/parse.cjs';
import { scrapeRequest } from '../../../mock/schemas/scrapeOptions.cjs';
import { searchRequest } from '../../../mock/schemas/search.cjs';
import {
	executeRequest,
	interactRequest,
	paperRead,
	paperSearch,
	paperSimilar,
	sessionRequest,
} from '../../../mock/schemas/toolCalls.cjs';
import { refusals } from '../../schemaAssertions.cjs';

type Parse = (request: unknown) => unknown;

/** The mock server's own reading of the requests, by operation. */
const requests: Array<[operation: string, parse: Parse]> = [
	['search: query', (body) => searchRequest.parse(body)],
	['page: scrape', (body) => scrapeRequest.parse(body)],
	['batch: run', parseBatch],
	['crawl: run', (body) => crawlRequest.parse(body)],
	['crawl: previewParams', (body) => strict(paramsPreviewRequest.shape).parse(body)],
	['map: get', (body) => mapRequest.parse(body)],
	['file: parse', parseOptions],
	['agent: run', parseAgent],
	['session: create', (body) => sessionRequest.parse(body)],
	['session: execute', (body) => executeRequest.parse(body)],
	['session: interact', (body) => interactRequest.parse(body)],
	['monitor: create', (body) => createMonitor.parse(body)],
	['monitor: update', (body) => updateMonitor.parse(body)],
	['paper: search', (body) => paperSearch.parse(body)],
	['paper: read', (body) => paperRead.parse(body)],
	['paper: getSimilar', (body) => paperSimilar.parse(body)],
];

const monitorId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

const schemas = new Map(
	resources.flatMap(({ value, operations }) =>
		operations.map((operation) => [`${value}: ${operation.value}`, operation.schema]),
	),
);

/** What the node alone has, each by its whole path, and why. */
const nodesOwn = new Set([
	// The path of the URL names it.
	'session: execute sessionId',
	'session: interact jobId',
	'monitor: update monitorId',
	'paper: read id',
	'paper: getSimilar id',
	// A header carries it.
	'crawl: run idempotencyKey',
	// The node alone acts on it.
	'file: parse binaryPropertyName',
	'session: create closeSession',
	'session: execute onFailedCode',
	...['taskType', 'closeSession', 'onFailedCode'].map((name) => `session: interact ${name}`),
	// The mock server does not know the category yet.
	'search: query categories github',
]);

/** Groups of the editor that have another form in the API. */
const editorsGroup = / (?:parsers|tbs)$|^monitor: \w+ (?:targets|notification)/;

const isOwn = (path: string) => nodesOwn.has(path) || editorsGroup.test(path);

/** Whether an object is an entry of the editor's name and value pairs, which the service takes as a map alone. */
const isEditorsPair = (members: object | undefined) =>
	Object.keys(members ?? {}).join() === 'name,value';

/** A value that stands at a place in the API's shape, in the request around it. */
type Around = (value: object) => object;

/** One issue of zod 3, which the nodes are made of, or of zod 4, which the mock server is. */
interface Fault {
	code?: string;
	path: readonly PropertyKey[];
	message: string;
	/** The words of a closed set: `values` of zod 4. */
	values?: readonly unknown[];
	maximum?: unknown;
	minimum?: unknown;
	origin?: string;
}

/** How one member of a request is read. */
interface Member {
	safeParse(value: unknown): { error?: { issues: readonly Fault[] } };
}

/** How each member is read that an object in a request may have; undefined where none is read. */
function membersOf(shape: Record<string, Member> | undefined) {
	if (!shape) return undefined;
	const own = Object.entries(shape).filter(([name]) => !(name in stamps) && name !== 'type');
	return Object.fromEntries(own);
}

/** A member that no schema knows. */
const stranger = '?';

/** An object that only holds what no schema knows: where it comes by, its reader is known. */
const strangerAlone = { [stranger]: 1 };

/** The object that reads `strangerAlone` in a request: how `parse` is made inside does not matter. Undefined when none does. */
function readerIn(
	parse: (request: unknown) => unknown,
	request: unknown,
): z.AnyZodObject | undefined {
	const reading = jest.spyOn(z.ZodObject.prototype, '_parse');
	try {
		parse(request);
	} catch {
		// It refuses the request: what matters is how far it came.
	}
	const at = reading.mock.calls.findIndex(([{ data }]) => Object.hasOwn(Object(data), stranger));
	const reader: unknown = reading.mock.contexts[at];
	reading.mockRestore();
	return reader instanceof z.ZodObject ? reader : undefined;
}

/** The same of the mock server's reading, which is made of zod 4: the object that refuses the stranger, of a union the one of its type. */
function serviceReaderIn(
	parse: (request: unknown) => unknown,
	request: unknown,
): z4.ZodObject | undefined {
	let reader: z4.ZodObject | undefined;
	const { customError } = z4.config();
	z4.config({
		customError(issue) {
			const { inst, input } = issue;
			if (issue.code !== 'unrecognized_keys' || !(inst instanceof z4.ZodObject)) return undefined;
			const { type } = inst.shape;
			const isMeant = !type || z4.safeParse(type, Reflect.get(Object(input), 'type')).success;
			if (Object.hasOwn(Object(input), stranger) && isMeant) reader ??= inst;
			return undefined;
		},
	});
	try {
		parse(request);
	} catch {
		// It refuses the request: what matters is who did.
	}
	z4.config({ customError });
	return reader;
}

/** What a member is refused for as a whole, not for one of its parts. */
const faultsOf = (member: Member, value: unknown): Fault[] =>
	(member.safeParse(value).error?.issues ?? []).filter(({ path }) => path.length === 0);

/** Far beyond every bound. */
const probes = [1e15, -1e15, 'x'.repeat(200_000), Array(1_001).fill('x'), [], '?'];

/** The words that a member may be, or values at its bounds and beside them. An empty list is as good as none. */
const edgesOf = (member: Member): unknown[] =>
	probes.flatMap((probe) => {
		const faults = faultsOf(member, probe);
		// The length of what is no list is looked at, too.
		if (faults.some(({ code }) => code === 'invalid_type')) return [];
		return faults.flatMap((fault): unknown[] => {
			if (fault.code === 'invalid_value') return [...(fault.values ?? []), '?'];
			if (fault.code !== 'too_big' && fault.code !== 'too_small') return [];
			const bound = Number(fault.code === 'too_big' ? fault.maximum : fault.minimum);
			const edges = [bound - 1, bound, bound + 1];
			if (fault.origin === 'number') return edges;
			const lengths = edges.filter((length) => length > 0);
			return fault.origin === 'string'
				? lengths.map((length) => 'x'.repeat(length))
				: lengths.map((length) => Array<string>(length).fill('x'));
		});
	});

function inWords(value: unknown): string {
	if (Array.isArray(value)) return `${value.length} entries`;
	const text = String(value);
	return text.length > 30 ? `${text.length} characters` : text;
}

/** Members whose bounds are no part of how they are read by themselves: other tests ask for them. */
const boundElsewhere: Record<string, string[]> = {
	'by a rule of the object around it': ['delay'],
	'not at all: there may be another tomorrow': ['model'],
	'by the node alone': ['changeTracking prompt', 'run limit', 'crawlOptions limit'],
	'by a rule of the list itself': ['actions'],
};

/** How the node tells of a bound. */
const boundWords =
	/^must be (a (whole )?number (from|of)|at most [\d,]+ char|a list (from|of)|one of )/;

/** The values at the bounds of a member, the service's or the node's, that only one of both takes. */
function outOfBounds(path: string, node: Member, service: Member): string[] {
	const names = Object.values(boundElsewhere).flat();
	if (isOwn(path) || names.some((name) => path.endsWith(` ${name}`))) return [];
	const takes = (member: Member, value: unknown) => faultsOf(member, value).length === 0;
	const beyondTheNodes = probes.filter((value) =>
		faultsOf(node, value).some(({ message }) => boundWords.test(message)),
	);
	return [...edgesOf(service), ...beyondTheNodes]
		.filter((value) => takes(node, value) !== takes(service, value))
		.map((value) => `${path} ${inWords(value)}`);
}

/** Two readings of one request, and the types of the entries in it. */
interface Readings {
	node: Parse;
	service: Parse;
	typesAt(around: Around): string[];
}

/** What the node reads at a place, or below it, that the service does not, and bounds that differ. More of the service goes by Request (JSON). */
function differences(path: string, around: Around, readings: Readings): string[] {
	const request = around(strangerAlone);
	const ours = membersOf(readerIn(readings.node, request)?.shape);
	const theirs = membersOf(serviceReaderIn(readings.service, request)?.shape);
	if (!theirs && isEditorsPair(ours)) return [];
	if (!ours) return [];
	if (!theirs) return isOwn(path) ? [] : [`${path}: read by the node alone`];
	const names = Object.keys(ours);
	return [
		...names
			.filter((name) => !(name in theirs))
			.map((name) => `${path} ${name}`)
			.filter((whole) => !isOwn(whole)),
		...names
			.filter((name) => name in theirs)
			.flatMap((name) => outOfBounds(`${path} ${name}`, ours[name], theirs[name])),
		...names.flatMap((name) => {
			const inside: Around = (value) => around({ [name]: value });
			const types = readings.typesAt((value) => inside([value]));
			const entries: Array<[string, Around]> = types.map((type) => [
				`${path} ${name} ${type}`,
				(value) => inside([{ ...value, type }]),
			]);
			if (entries.length === 0) entries.push([`${path} ${name}[]`, (value) => inside([value])]);
			return [
				...differences(`${path} ${name}`, inside, readings),
				...entries.flatMap(([below, entry]) => differences(below, entry, readings)),
			];
		}),
	];
}

it.each(requests)(
	'%s: the node and the mock server read the same members in the same bounds',
	(name, service) => {
		const schema = schemas.get(name);
		if (!schema) throw new Error(`no operation ${name}`);
		const given = name === 'monitor: update' ? { monitorId } : {};
		const said = (request: unknown) => refusals(schema, request).join('\n');
		const takesNo = (request: unknown) => said(request).includes(' does not support ');
		const readings: Readings = {
			node: (request) => schema.safeParse(request),
			service,
			typesAt: (around) => {
				const types = / type must be one of (.+), not \?$/m.exec(said(around({ type: '?' })))?.[1];
				return (types?.split(', ') ?? []).filter((type) => !takesNo(around({ type })));
			},
		};
		expect(differences(name, (value) => ({ ...given, ...value }), readings)).toEqual([]);
	},
);
