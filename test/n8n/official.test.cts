import { z } from 'zod/v4';
import { foundBy } from './forkedProcess.cjs';
import { meaningOf } from './meaning.cjs';
import listed from './official.json';
import type { Comparison, Recorded } from './officialProcess.cjs';

/** Differences that are meant. */
const differences = z
	.array(
		z.strictObject({
			why: z.string(),
			versions: z.array(z.string()).optional(),
			operations: z.array(z.string()).optional(),
			/** A pattern for the names of cases. */
			cases: z.string().default('.'),
			fields: z.array(z.string()).default([]),
			/** Whether they are of nodes that the report says to correct first. */
			rejected: z.boolean().default(false),
		}),
	)
	.parse(listed.differences);

type Body = Record<string, unknown>;

/** What a request of the official node means where it has a form of its editor, which the service rejects. */
function meantBy({ formats, headers, location, ...others }: Body): Body {
	const { ignoreSitemap, scrapeOptions, ...rest } = others;
	const { key, value } = Object(headers);
	const { settings: _settings, ...place } = Object(location);
	const isEditors = Object(scrapeOptions).formats?.format !== undefined;
	const nested =
		scrapeOptions && meantBy({ ...Object(scrapeOptions), ...(isEditors && { formats }) });
	return {
		...rest,
		...(formats !== undefined && !isEditors && { formats: withoutEmptySchemas(formats) }),
		...(headers !== undefined && { headers: key === undefined ? headers : { [key]: value } }),
		...(location !== undefined && { location: typeof location === 'string' ? location : place }),
		...(ignoreSitemap === true && { sitemap: 'skip' }),
		...(nested !== undefined && { scrapeOptions: nested }),
	};
}

/** Formats without a schema that is left as it is. */
const withoutEmptySchemas = (formats: unknown): unknown =>
	JSON.parse(JSON.stringify(formats).replaceAll(',"schema":{}', ''));

/** What counts of the requests of a run: what is paid for, or the first. */
function counting(requests: readonly Recorded[]): Recorded[] {
	const paid = requests.filter(({ request }) => !request.startsWith('GET '));
	return paid.length > 0 ? paid : requests.slice(0, 1);
}

const entriesOf = (body: unknown) => Object.entries(Object(meaningOf(body)));

/** The fields of an extraction that are neither in what replaces it nor named by the report. */
function lostOf({ official, ours, row }: Comparison): string[] {
	const sent = JSON.stringify(counting(ours).map(({ body }) => meaningOf(body)));
	const said = JSON.stringify([row.reasons, row.notes]).toLowerCase();
	const isSaid = (name: string) => said.includes(name.toLowerCase());
	const isSent = (value: unknown): boolean =>
		Array.isArray(value) ? value.every(isSent) : sent.includes(JSON.stringify(value));
	const { scrapeOptions, ...fields } = meantBy(official[0].body);
	return [...entriesOf(fields), ...(isSaid('scrapeOptions') ? [] : entriesOf(scrapeOptions))]
		.filter(([name, value]) => value !== false && !isSent(value) && !isSaid(name))
		.map(([name]) => name);
}

/** The names of the fields in which two runs differ. */
function differing(comparison: Comparison): string[] {
	const { operation, official, ours } = comparison;
	if (operation === 'extract') return lostOf(comparison);
	const [before, after] = [counting(official), counting(ours)];
	const pathOf = ({ request }: Recorded) =>
		request.replace('/browser', '/interact').replace(/\?limit=\d+$/, '');
	if (JSON.stringify(before.map(pathOf)) !== JSON.stringify(after.map(pathOf))) return ['request'];
	return before.flatMap(({ body }, index) => {
		const [one, other] = [meaningOf(meantBy(body)), meaningOf(after[index].body)].map(Object);
		const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
		return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
	});
}

describe('A node of the official package', () => {
	let comparisons: Comparison[] = [];

	beforeAll(async () => {
		comparisons = await foundBy<Comparison>('officialProcess.cjs');
	});

	/** Whether a difference in a field is meant by an entry of the table. */
	const isMeant = (entry: (typeof differences)[number], found: Comparison, field: string) => {
		const { versions, operations, cases, fields, rejected } = entry;
		if (rejected) return found.row.reasons.some((reason) => reason.startsWith('Correct it'));
		return (
			(versions ?? [found.version]).includes(found.version) &&
			(operations ?? [found.operation]).includes(found.operation) &&
			new RegExp(cases).test(found.name) &&
			fields.includes(field)
		);
	};

	it('sends what the converted one sends, or the table says why not', () => {
		const used = new Set<string>();
		const found = comparisons
			.filter(({ row }) => row.state !== 'kept')
			.flatMap((comparison) =>
				differing(comparison).flatMap((field) => {
					const entry = differences.find((each) => isMeant(each, comparison, field));
					if (entry) used.add(entry.why);
					const { version, name } = comparison;
					return entry ? [] : [`${version} ${name}: ${field}`];
				}),
			);

		expect(found).toEqual([]);
		expect([...used].sort()).toEqual(differences.map(({ why }) => why).sort());
		expect(comparisons.length).toBeGreaterThan(1000);
	});

	it('is called whole only if the converted one runs', () => {
		const failed = comparisons.filter(({ row, error }) => row.state === 'whole' && error);

		expect(failed.map(({ name, error }) => [name, error])).toEqual([]);
	});

	it('stays only for a reason', () => {
		const kept = comparisons.filter(({ row }) => row.state === 'kept');
		const operations = [...new Set(kept.map(({ operation }) => operation))].sort();

		expect(operations).toEqual([
			...['browserContext', 'getExtractStatus', 'interactContext'],
			...['teamTokenUsage', 'teamTokenUsageHistorical'],
		]);
	});
});
