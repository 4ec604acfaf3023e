import { settingsContract } from '../../../nodes/runtime/settings';
import { accepted, refusals } from '../verdict.cjs';

describe("the node's own options", () => {
	it("are the spec's five tries and 30 seconds when nothing is set", () => {
		expect(accepted(settingsContract, {})).toMatchObject({
			downloadFiles: false,
			keepFields: [],
			maxBackOff: 30,
			maxTries: 5,
			repeatUncertain: false,
		});
		expect(accepted(settingsContract, {}).maxMarkdownLength).toBeUndefined();
	});

	it('take what the editor and expressions give', () => {
		expect(
			accepted(settingsContract, {
				downloadFiles: 'true',
				keepFields: 'title, metadata.statusCode',
				maxBackOff: '60',
				maxMarkdownLength: 500,
				maxRetryTime: 0,
				maxTries: 1,
				repeatUncertain: true,
				requestsInFlight: '100',
			}),
		).toMatchObject({
			downloadFiles: true,
			keepFields: ['title', 'metadata.statusCode'],
			maxBackOff: 60,
			maxMarkdownLength: 500,
			maxRetryTime: 0,
			maxTries: 1,
			repeatUncertain: true,
			requestsInFlight: 100,
		});
	});

	it.each<[Record<string, unknown>, string]>([
		[{ maxTries: 0 }, 'maxTries must be a whole number from 1 to 100, not 0'],
		[{ requestsInFlight: 0 }, 'requestsInFlight must be a whole number from 1 to 100, not 0'],
		[{ requestsInFlight: 101 }, 'requestsInFlight must be a whole number from 1 to 100, not 101'],
		[
			{ maxMarkdownLength: 0 },
			'maxMarkdownLength must be a whole number of at least 1 characters, not 0',
		],
		[{ maxRetryTime: -1 }, 'maxRetryTime must be a whole number from 0 to 86,400 seconds, not -1'],
		[{ maxBackOff: 'long' }, 'maxBackOff must be a whole number from 1 to 3,600 seconds, not long'],
	])('refuse %j', (given, words) => {
		expect(refusals(settingsContract, given)).toEqual([words]);
	});
});
