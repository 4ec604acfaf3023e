import { Clock } from './clock.cjs';

test('a held clock moves only by advance, and wakes waits in their order', async () => {
	const clock = new Clock();
	clock.hold(1000);
	const woken: string[] = [];
	const late = clock.wait(200).then(() => woken.push(`late ${clock.now()}`));
	const early = clock.wait(100).then(async () => {
		woken.push(`early ${clock.now()}`);
		await clock.wait(50);
		woken.push(`next ${clock.now()}`);
	});
	const never = clock.wait(301).then(() => woken.push('never'));
	await clock.advance(300);
	await Promise.all([early, late]);
	expect(woken).toEqual(['early 1100', 'next 1150', 'late 1200']);
	expect([clock.now(), clock.waiting]).toEqual([1300, 1]);
	clock.close();
	await never;
});

test('a running clock can be put forward, and a wait of hours with it', async () => {
	const clock = new Clock();
	const before = clock.now();
	const wait = clock.wait(3_600_000);
	await clock.advance(3_600_000);
	await wait;
	expect(clock.held).toBe(false);
	expect(clock.now() - before).toBeGreaterThanOrEqual(3_600_000);
});

test('a released clock goes on from the time it shows', async () => {
	const clock = new Clock();
	clock.hold(5000);
	const wait = clock.wait(1);
	clock.release();
	await wait;
	expect(clock.now()).toBeGreaterThanOrEqual(5001);
	expect(clock.now()).toBeLessThan(Date.now());
});

test('an aborted wait rejects with the reason and is forgotten', async () => {
	const clock = new Clock();
	clock.hold();
	const gone = new AbortController();
	const wait = clock.wait(1000, gone.signal);
	gone.abort(new Error('gone'));
	await expect(wait).rejects.toThrow('gone');
	await expect(clock.wait(1, gone.signal)).rejects.toThrow('gone');
	expect(clock.waiting).toBe(0);
});

test('a request holds the clock while it waits itself, not while what it has begun does', async () => {
	const clock = new Clock();
	clock.hold(0);
	const [first, second] = [{}, {}];
	const inBackground: Array<Promise<void>> = [];
	const gone = new AbortController();
	const working = [
		clock.working(first, gone.signal, async () => {
			await Promise.all([clock.wait(10), clock.wait(20)]);
			inBackground.push(clock.wait(100));
		}),
		clock.working(second, gone.signal, async () => await clock.wait(30)),
		clock.working({}, AbortSignal.abort(), async () => await clock.wait(30)),
	];
	expect([clock.waiting, clock.holding]).toEqual([4, 2]);
	await clock.advance(20);
	await working[0];
	expect([clock.waiting, clock.holding]).toEqual([3, 1]);
	gone.abort();
	expect(clock.holding).toBe(0);
	await clock.advance(10);
	await Promise.all(working);
	expect([clock.waiting, clock.holding]).toEqual([1, 0]);
	await clock.advance(90);
	await Promise.all(inBackground);
});
