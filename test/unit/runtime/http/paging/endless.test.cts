import type { IDataObject } from 'n8n-workflow';
import { byCursor, byUrl, readList, type Sender } from '../../../../../nodes/runtime/http/paging';
import { readByOffset } from '../../../../../nodes/runtime/http/paging';
import { errorSource } from '../../../schemaAssertions.cjs';
import { asRequest } from '../../../requests.cjs';

const first = asRequest({ method: 'GET', path: '/list' });
const entriesOf = ({ data }: IDataObject) => (Array.isArray(data) ? data : []);

/** Most requests that a test lets a list have, so that one without bounds ends. */
const patience = 1_500;

/** A call whose answer to each request is made from its number; a request may take some time. */
function callOf(bodyOf: (page: number) => IDataObject, milliseconds = 0) {
	let count = 0;
	const call: Sender = {
		errorSource: errorSource(),
		send: async () => {
			if (count === patience) throw new Error('asked for ever');
			if (milliseconds > 0) jest.advanceTimersByTime(milliseconds);
			const body = bodyOf(count);
			count += 1;
			return await Promise.resolve({ status: 200, headers: {}, body });
		},
	};
	return { call, asked: () => count };
}

const fresh = (page: number) =>
	Array.from({ length: 100 }, (_, index) => ({ id: `id-${page * 100 + index}` }));

type Way = [
	name: string,
	pageOf: (page: number, data: unknown[]) => IDataObject,
	read: (limit: number, call: Sender) => Promise<unknown[]>,
];

const ways: Way[] = [
	[
		'by next',
		(page, data) => ({ data, next: `/v2/list?page=${page + 1}` }),
		async (limit, call) => await readList(first, { entriesOf, next: byUrl(first) }, limit, call),
	],
	[
		'by cursor',
		(page, data) => ({ data, cursor: `c${page + 1}`, has_more: true }),
		async (limit, call) => await readList(first, { entriesOf, next: byCursor(first) }, limit, call),
	],
	[
		'by offset',
		(_page, data) => ({ data }),
		async (limit, call) => await readByOffset(first, limit, call),
	],
];

describe('a list without an end', () => {
	afterEach(() => jest.useRealTimers());

	it.each(ways)('is an error after 1,000 pages: %s', async (_name, pageOf, read) => {
		const { call, asked } = callOf((page) => pageOf(page, fresh(page)));
		await expect(read(Infinity, call)).rejects.toThrow(
			/^The list has no end: 1000 pages with 100000 results were fetched/,
		);
		expect(asked()).toBe(1_000);
	});

	it.each(ways)('is an error after an hour: %s', async (_name, pageOf, read) => {
		jest.useFakeTimers();
		const { call, asked } = callOf((page) => pageOf(page, fresh(page)), 60_000);
		await expect(read(Infinity, call)).rejects.toThrow(/^The list has no end: 60 pages/);
		expect(asked()).toBe(60);
	});

	it.each(ways)('is read up to the limit: %s', async (_name, pageOf, read) => {
		const { call, asked } = callOf((page) => pageOf(page, fresh(page)));
		expect(await read(250, call)).toHaveLength(250);
		expect(asked()).toBe(3);
	});

	it.each(ways)('is none where the limit needs the last page alone: %s', async (...given) => {
		const [, pageOf, read] = given;
		const { call } = callOf((page) => pageOf(page, fresh(page)));
		expect(await read(100_000, call)).toHaveLength(100_000);
	});

	it.each(ways.slice(0, 2))('is an error where pages repeat: %s', async (...given) => {
		const [, pageOf, read] = given;
		const { call, asked } = callOf((page) => pageOf(page, fresh(0)));
		await expect(read(Infinity, call)).rejects.toThrow(
			'The server returned the same next page again',
		);
		expect(asked()).toBe(2);
	});

	it.each(ways.slice(0, 2))('is an error where places repeat: %s', async (_name, pageOf, read) => {
		const { call, asked } = callOf((page) => pageOf(page % 3, fresh(page)));
		await expect(read(Infinity, call)).rejects.toThrow(
			'The server returned the same next page again',
		);
		expect(asked()).toBeLessThanOrEqual(4);
	});

	it('ends by offset with a page of known entries', async () => {
		const { call, asked } = callOf((page) => ({ data: fresh(page % 2) }));
		expect(await readByOffset(first, Infinity, call)).toHaveLength(200);
		expect(asked()).toBe(3);
	});
});
