import { type Service, startService } from './mock/service.cjs';

/**
 * Gives the tests of a file one mock server, which each of them finds as new; its clock stands still at `now` where that
 * is given, in milliseconds since 1970.
 */
export function useService(
	started: (service: Service) => void,
	{ now, ...options }: Parameters<typeof startService>[0] & { now?: number } = {},
): void {
	let service: Service;
	beforeAll(async () => {
		service = await startService(options);
		started(service);
	});
	afterAll(() => service.close());
	beforeEach(() => {
		service.reset();
		if (now !== undefined) service.clock.hold(now);
	});
}
