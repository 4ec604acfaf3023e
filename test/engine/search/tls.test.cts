import { startTlsFront, type TlsFront } from '../../mock/tlsFront.cjs';

import { useTestBed } from '../testBed.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

/** What becomes of requests to servers whose certificates n8n does not trust. */
describe('a server without a certificate that n8n trusts', () => {
	const testBed = useTestBed();
	const fronts: TlsFront[] = [];

	const front = async (target: string) => {
		const opened = await startTlsFront(target);
		fronts.push(opened);
		return opened;
	};
	afterEach(async () => {
		await Promise.all(fronts.splice(0).map(async (one) => await one.close()));
	});

	const accountAt = (baseUrl: string, ignoreSSLIssues = false) => ({
		credentials: { webDataApi: { baseUrl, apiKey: testBed.account().key, ignoreSSLIssues } },
	});

	it('is told what is wrong and both ways out', async () => {
		const { url, requests } = await front(testBed.service.url);

		const run = await testBed.search({ query: 'tide' }, { account: accountAt(url) });

		expect(run.error?.message).toMatch(/certificate.*\(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
		expect(run.error?.description).toMatch(
			/'Ignore SSL Issues \(Insecure\)'.*NODE_EXTRA_CA_CERTS.*Nothing was sent, and nothing was charged/,
		);
		expect(requests()).toBe(0);
	});

	it('is told where the port speaks no TLS', async () => {
		const account = accountAt(testBed.service.url.replace('http:', 'https:'));

		const run = await testBed.search({ query: 'tide' }, { account });

		expect(run.error?.message).toMatch(/No TLS connection to the server.*wrong version number/);
		expect(run.error?.description).toMatch(/http:\/\/.*Nothing was sent, and nothing was charged/);
		expect(testBed.service.log.entries).toEqual([]);
	});

	it('is used by requests and downloads with Ignore SSL Issues (Insecure)', async () => {
		const { url } = await front(testBed.service.url);
		const account = accountAt(url, true);

		const scraped = await testBed.run(
			'page',
			'scrape',
			{
				url: tides,
				formats: ['screenshot'],
				options: { downloadFiles: true },
			},
			{ account },
		);

		expect(scraped.error).toBeUndefined();
		expect(scraped.output()[0].json.screenshot).toContain(url);
		expect(scraped.output()[0].json.fileErrors).toBeUndefined();
		expect(scraped.output()[0].binary?.screenshot.mimeType).toBe('image/png');
	});

	it('is not used by downloads without it, and the result stays', async () => {
		const { url } = await front(testBed.service.url);
		testBed.service.faults.add({
			kind: 'status',
			status: 200,
			path: '/v2/scrape',
			body: { success: true, data: { screenshot: `${url}/shot.png`, metadata: {} } },
		});

		const run = await testBed.run('page', 'scrape', {
			url: tides,
			formats: ['screenshot'],
			options: { downloadFiles: true },
		});

		expect(run.error).toBeUndefined();
		expect(run.output()[0].json.fileErrors).toMatchObject({
			screenshot: expect.stringMatching(/certificate.*DEPTH_ZERO_SELF_SIGNED_CERT/),
		});
	});
});
