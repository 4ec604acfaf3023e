import { type ForeignHost, startForeignHost } from '../mock/loopback.cjs';

/** A foreign host for the tests of a file, to which nothing has come when a test begins. */
export function useForeignHost(): Omit<ForeignHost, 'close'> {
	let host: ForeignHost | undefined;
	const opened = (): ForeignHost => {
		if (!host) throw new Error('The foreign host has not been started');
		return host;
	};
	beforeAll(async () => {
		host = await startForeignHost();
	});
	beforeEach(() => {
		opened().requests.length = 0;
	});
	afterAll(async () => await host?.close());
	return {
		get url() {
			return opened().url;
		},
		get requests() {
			return opened().requests;
		},
	};
}
