import { type Service, startService } from './mock/service.cjs';

/** Gives the tests of a file one mock server, which each finds as new, its clock held at `now` if that is given. */
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
