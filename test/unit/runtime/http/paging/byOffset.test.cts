import { readByOffset } from '../../../../../nodes/runtime/http/paging';
import { recordedCall } from '../../../calls.cjs';
import { asRequest } from '../../../requests.cjs';

const path = '/monitor/1/checks';
const first = asRequest({ method: 'GET', path, query: { status: 'failed' } });
const entries = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ id: `id-${from + index}` }));
const page = (data: unknown) => ({ success: true, data });
const windows = ({ sent }: ReturnType<typeof recordedCall>) => sent.map(({ query }) => query);

describe('reading a list by offset', () => {
	it('goes on until a page is not full, with the query of the first', async () => {
		const call = recordedCall(page(entries(100)), page(entries(100, 100)), page(entries(7, 200)));
		expect(await readByOffset(first, Infinity, call)).toEqual(entries(207));
		expect(windows(call)).toEqual([
			{ status: 'failed', limit: 100, offset: 0 },
			{ status: 'failed', limit: 100, offset: 100 },
			{ status: 'failed', limit: 100, offset: 200 },
		]);
		expect(call.sent.every((each) => each.path === path)).toBe(true);
	});

	it('asks for no more than the limit', async () => {
		const call = recordedCall(page(entries(100)), page(entries(30, 100)));
		expect(await readByOffset(first, 130, call)).toEqual(entries(130));
		expect(windows(call)).toEqual([
			{ status: 'failed', limit: 100, offset: 0 },
			{ status: 'failed', limit: 30, offset: 100 },
		]);
		const small = recordedCall(page(entries(3)));
		expect(await readByOffset({ ...first, query: undefined }, 3, small)).toEqual(entries(3));
		expect(windows(small)).toEqual([{ limit: 3, offset: 0 }]);
	});

	it('cuts what a service without limits sends too much', async () => {
		expect(await readByOffset(first, 2, recordedCall(page(entries(9))))).toEqual(entries(2));
	});

	it('ends with a page that is empty', async () => {
		const call = recordedCall(page(entries(100)), page([]));
		expect(await readByOffset(first, Infinity, call)).toEqual(entries(100));
		expect(await readByOffset(first, 5, recordedCall(page([])))).toEqual([]);
	});

	it('shows each entry once when the list grows at its head', async () => {
		const call = recordedCall(page(entries(100)), page([{ id: 'id-99' }, ...entries(20, 100)]));
		expect(await readByOffset(first, Infinity, call)).toEqual(entries(120));
	});

	it('does not go round in circles where the service knows no offset', async () => {
		const call = recordedCall(page(entries(100)), page(entries(100)));
		expect(await readByOffset(first, Infinity, call)).toEqual(entries(100));
		expect(call.sent).toHaveLength(2);
	});

	it('keeps entries that have no id', async () => {
		const nameless = [{ a: 1 }, { a: 1 }];
		expect(await readByOffset(first, 5, recordedCall(page(nameless)))).toEqual(nameless);
	});

	it('fails with a page that cannot be read: a shorter list would look whole', async () => {
		const broken = new Error('Bad Gateway (HTTP 502)');
		const call = recordedCall(page(entries(100)), broken);
		await expect(readByOffset(first, Infinity, call)).rejects.toBe(broken);
		await expect(readByOffset(first, 5, recordedCall({ success: true }))).rejects.toThrow(
			'The response lacks a list',
		);
	});
});
