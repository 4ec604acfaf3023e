/**
 * Lets the clock and the timers of this process run `BENCH_SPEED` times as fast as the world's, so that
 * half an hour passes within seconds. All processes of a measurement count from `BENCH_EPOCH` (Unix
 * milliseconds) and so share one clock. Import this before anything that keeps a timer.
 */
const speed = Number(process.env.BENCH_SPEED ?? 1);
const epoch = Number(process.env.BENCH_EPOCH ?? 0);

const sinceStart = performance.now.bind(performance);
const realNow = () => performance.timeOrigin + sinceStart();
const now = () => Math.floor(epoch + (realNow() - epoch) * speed);

type Timer = (work: () => void, ms?: number, ...rest: unknown[]) => unknown;

const accelerated = <Original extends Timer>(timer: Original): Original =>
	new Proxy(timer, {
		apply: (target, self, [work, ms = 0, ...rest]) =>
			Reflect.apply(target, self, [work, Number(ms) / speed, ...rest]),
	});

if (speed !== 1) {
	Date.now = now;
	performance.now = () => sinceStart() * speed;
	globalThis.Date = new Proxy(Date, {
		construct: (target, args, self) =>
			Reflect.construct(target, args.length === 0 ? [now()] : args, self),
	});
	globalThis.setTimeout = accelerated(setTimeout);
	globalThis.setInterval = accelerated(setInterval);
}
