import type { IDataObject } from 'n8n-workflow';
import { passages, query } from '../../../../nodes/WebData/resources/search';
import { recordedCall, settingsFor } from '../../calls.cjs';

const hosts = ['gov.uk', 'www.gov.uk', 'data.gov.uk', 'evilgov.uk', 'gov.uk.example'];
const markdown = 'How high are the subsidies for heat pumps? They are £7,500.';
const metadata = { statusCode: 200 };
const web = hosts.map((host) => ({ url: `https://${host}/a`, title: 'A', markdown, metadata }));
const images = [{ imageUrl: 'https://cdn.example/a.png', title: 'A' }];
const response = { success: true, data: { web, images }, creditsUsed: 2 };

/** The hosts of the results of a search with filters, and its notices. */
async function found(filters: IDataObject, output = 'simplified') {
	const call = { ...recordedCall(response), settings: settingsFor({ options: { output } }) };
	const results = await query.run({ query: 'a', ...filters }, call);
	return { results, hosts: results.map(({ json }) => hostOf(json)), notices: call.notices };
}

const hostOf = ({ url }: IDataObject) => (url === undefined ? 'no URL' : new URL(String(url)).host);

describe('Results of domains that a search does not want', () => {
	it.each<[IDataObject, string[]]>([
		[{ includeDomains: ['gov.uk'] }, ['gov.uk', 'www.gov.uk', 'data.gov.uk', 'no URL']],
		[{ includeDomains: ['www.gov.uk'] }, ['gov.uk', 'www.gov.uk', 'data.gov.uk', 'no URL']],
		[{ includeDomains: ['data.gov.uk', 'evilgov.uk'] }, ['data.gov.uk', 'evilgov.uk', 'no URL']],
		[{ excludeDomains: ['gov.uk'] }, ['evilgov.uk', 'gov.uk.example', 'no URL']],
		[{}, [...hosts, 'no URL']],
	])('are omitted with a notice: %j', async (filters, left) => {
		const { hosts: shown, notices } = await found(filters);

		expect(shown).toEqual(left);
		const omitted = hosts.length + 1 - left.length;
		const words = `${omitted} results of other domains are omitted`;
		expect(notices).toEqual(omitted === 0 ? [] : [expect.stringContaining(words)]);
	});

	it('are in raw output, with the notice', async () => {
		const { results, notices } = await found({ includeDomains: ['data.gov.uk'] }, 'raw');

		expect(results).toEqual([{ json: response }]);
		expect(notices).toEqual([expect.stringContaining('4 results of other domains')]);
	});

	it('have no passages, nor has a wall', async () => {
		const wall = { url: 'https://data.gov.uk/b', markdown: 'x', metadata: { title: 'DDoS-Guard' } };
		const call = recordedCall({ ...response, data: { web: [...web, wall] } });
		const results = await passages.run(
			{ query: 'heat pumps', includeDomains: ['data.gov.uk'], maxTokens: 1_500 },
			call,
		);

		expect(results.map(({ json }) => json.url)).toEqual(['https://data.gov.uk/a']);
		expect(call.notices).toEqual([
			expect.stringContaining('4 results of other domains'),
			expect.stringContaining('1 of 2 pages is a bot check'),
		]);
	});
});
