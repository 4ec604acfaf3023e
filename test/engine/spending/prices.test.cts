import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed } from '../testBed.cjs';

const post = 'https://x.com/anselkites/status/1800000000000000001';
const page = 'https://tidewatch.example/guides/spring-tides';
const moved = 'https://tidewatch.example/tides';
const pdf = 'https://portoffice.example/documents/harbour-bylaws.pdf';
const request = (members: object): INodeParameters => ({
	additionalFields: { requestJson: JSON.stringify(members) },
});
const json = { type: 'json', prompt: 'Title' };
const script = { type: 'deterministicJson', prompt: 'Title' };

/** What is told before, and what a page comes to: the service charges what its own reading of the billing says. */
describe('the price of a scrape', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);

	const charged = async (url: string, members: object) => {
		const account = testBed.account();
		const { ledger } = testBed.service;
		const parameters = { url, ...request(members) };
		const run = async (limits: INodeParameters) =>
			await time.drive(testBed.run('page', 'scrape', { ...parameters, limits }, { account }));
		const [{ json: told }] = (await run({ estimateOnly: true })).output();
		const done = await run({});
		const { minCredits, maxCredits } = told;
		return {
			told: [minCredits, maxCredits],
			charge: ledger.spent(account.team.id),
			error: done.error?.message,
		};
	};

	it.each<[string, object, Array<number | null>, number]>([
		[page, {}, [1, 1], 1],
		[post, {}, [30, 30], 30],
		[post, { formats: [json] }, [34, 34], 34],
		['https://x.com/anselkites', {}, [30, 30], 30],
		['https://x.com/', {}, [1, 30], 1],
		[page, { formats: ['markdown', { type: 'changeTracking', modes: ['json'] }] }, [5, 5], 5],
		[page, { formats: [json, { type: 'question', question: 'Why?' }] }, [9, 9], 9],
		[
			page,
			{
				formats: [
					{ type: 'question', question: 'Why?' },
					{ type: 'query', prompt: 'Why?' },
				],
			},
			[5, 5],
			5,
		],
		[page, { formats: [script] }, [3, 10], 10],
		[page, { formats: [script], checkPromptInjection: true }, [3, 10], 10],
		[page, { formats: [json], checkPromptInjection: true }, [5, 9], 9],
		[page, { zeroDataRetention: true }, [2, 2], 2],
		[page, { threatProtection: { mode: 'normal' } }, [1, 5], 3],
		[moved, { threatProtection: { mode: 'normal' } }, [1, 5], 5],
		[page, { threatProtection: { mode: 'zscaler' } }, [1, 1], 1],
	])('%s with %j is told and charged', async (url, members, told, charge) => {
		expect(await charged(url, members)).toEqual({ told, charge, error: undefined });
	});

	it('is less for the next page of a host whose script is there', async () => {
		const account = testBed.account();
		const scrape = async (url: string) =>
			await time.drive(
				testBed.run('page', 'scrape', { url, ...request({ formats: [script] }) }, { account }),
			);
		await scrape(page);
		await scrape('https://tidewatch.example/guides/storm-surges');
		expect(testBed.service.ledger.spent(account.team.id)).toBe(10 + 3);
	});

	it.each<[string, string, object, number]>([
		['a miss of Lockdown', page, { lockdown: true }, 1],
		[
			'a page that instructs the model',
			'https://agentnotes.example/notes/prompt-injection-in-the-wild',
			{ checkPromptInjection: true },
			5,
		],
		[
			'a page that was judged and has no audio',
			page,
			{ formats: ['audio'], checkPromptInjection: true },
			5,
		],
		[
			'a scanned page that does not exist',
			'https://nobody.example/',
			{ threatProtection: { mode: 'normal' } },
			2,
		],
	])('is %s when it fails, within what a limit counts', async (_what, url, members, charge) => {
		const account = testBed.account();
		const parameters = { url: '={{ $json.url }}', ...request(members) };
		const run = await time.drive(
			testBed.run(
				'page',
				'scrape',
				{ ...parameters, limits: { maxCreditsPerExecution: 10, maxConcurrency: 1 } },
				{ account, input: Array(9).fill({ url }), onError: 'continueRegularOutput' },
			),
		);
		const spent = testBed.service.ledger.spent(account.team.id);
		const { length } = testBed.service.log.of('POST', '/v2/scrape');
		expect(spent).toBe(length * charge);
		expect(spent).toBeLessThanOrEqual(10);
		expect(run.output()).toHaveLength(9);
	});

	it('counts each further page of a PDF, redacted ones five times', async () => {
		const parsers = [{ type: 'pdf', maxPages: 2 }];
		expect(await charged(pdf, { parsers })).toMatchObject({ told: [1, 2], charge: 2 });
		expect(await charged(pdf, { parsers, redactPII: true })).toMatchObject({
			told: [5, 10],
			charge: 10,
		});
	});

	it('is no known one for a profile on LinkedIn', async () => {
		const url = 'https://www.linkedin.com/in/anselkites';
		const run = await testBed.run('page', 'scrape', { url, limits: { estimateOnly: true } });
		expect(run.output()[0].json).toMatchObject({ minCredits: 0, maxCredits: null });
	});
});
