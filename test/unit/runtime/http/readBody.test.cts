import { PassThrough, Readable } from 'node:stream';
import { readBody as readBodyUntil } from '../../../../nodes/runtime/http/client';

const second = 1_000;
const block = Buffer.alloc(1_000_000, 'x');

let request: AbortController;
const readBody = async (body: unknown, most: number, timeout: number) =>
	await readBodyUntil(body, most, timeout, request.signal);

beforeEach(() => {
	jest.useFakeTimers();
	request = new AbortController();
});
afterEach(() => {
	request.abort();
	expect(jest.getTimerCount()).toBe(0);
	jest.useRealTimers();
});

describe('the body of an answer', () => {
	it('is read to its end', async () => {
		const body = Readable.from([Buffer.from('ti'), Buffer.from('de')]);

		expect(await readBody(body, 1, second)).toEqual(Buffer.from('tide'));
		expect(await readBody(Readable.from([block, block]), 2, second)).toHaveLength(2_000_000);
	});

	it.each([[undefined], [null], ['text'], [Buffer.from('x')], [{ success: true }]])(
		'is %p as n8n has read it',
		async (body) => {
			expect(await readBody(body, 1, second)).toBe(body);
		},
	);

	it('is let go as soon as it is larger', async () => {
		let sent = 0;
		const body = new Readable({
			read() {
				sent += 1;
				this.push(block);
			},
		});

		await expect(readBody(body, 2, second)).rejects.toMatchObject({
			code: 'ERR_TOO_LARGE',
			message: 'the response is larger than 2 MB',
		});
		expect(body.destroyed).toBe(true);
		expect(sent).toBeLessThan(6);
	});

	it('is given up in time, also if it cannot be destroyed', async () => {
		const body = Readable.from(
			(async function* () {
				yield Buffer.from('{"success":');
				await new Promise(() => undefined);
			})(),
			{ objectMode: false },
		);

		const reading = readBody(body, 1, 5 * second).catch((error: unknown) => error);
		await jest.advanceTimersByTimeAsync(5 * second);

		expect(await reading).toMatchObject({ code: 'ECONNABORTED' });
	});

	it('fails as its connection does', async () => {
		const body = new PassThrough();
		const reading = readBody(body, 1, second).catch((error: unknown) => error);
		body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));

		expect(await reading).toMatchObject({ code: 'ECONNRESET' });
	});

	it('is given up when its request is ended', async () => {
		const body = new PassThrough();
		const reading = readBody(body, 1, second).catch((error: unknown) => error);
		request.abort();

		expect(await reading).toBeInstanceOf(Error);
		expect(body.destroyed).toBe(true);
	});
});
