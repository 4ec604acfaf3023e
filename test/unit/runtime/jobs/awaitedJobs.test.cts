import { AwaitedJobs, awaitedJobs } from '../../../../nodes/runtime/jobs/awaitedJobs';

const always = () => true;

describe('what is known of the jobs that an execution sleeps for', () => {
	it('is the same for every call of a process', () => {
		expect(awaitedJobs(['a', 'b'])).toBe(awaitedJobs(['a', 'b']));
		expect(awaitedJobs(['a', 'b'])).not.toBe(awaitedJobs(['c', 'b']));
	});

	it('is forgotten when a thousand others have come', () => {
		const first = awaitedJobs(['first']);
		for (let other = 0; other < 1000; other += 1) awaitedJobs([`other ${other}`]);

		expect(awaitedJobs(['first'])).not.toBe(first);
	});

	it('tells once that all have ended, also to calls that come at once', async () => {
		const jobs = new AwaitedJobs(['a', 'b', 'c']);
		const ended = async () => await Promise.resolve(true);

		const told = await Promise.all(
			['c', 'a', 'b'].map(async (id) => await jobs.end(id, ended, always)),
		);

		expect(told.filter(Boolean)).toHaveLength(1);
	});

	it('takes one job that is under way for enough', async () => {
		const polled: string[] = [];
		const poll = async (id: string) => await Promise.resolve(polled.push(id) < 0);
		const jobs = new AwaitedJobs(['a', 'b', 'c', 'd']);

		expect(await jobs.end('a', poll, always)).toBe(false);
		expect(await jobs.end('b', poll, always)).toBe(false);

		expect(polled).toEqual(['d']);
	});

	it('polls eight at once, once the first poll found one that has ended', async () => {
		const ids = Array.from({ length: 20 }, (_, index) => `${index}`);
		let most = 0;
		let now = 0;
		const poll = async () => {
			now += 1;
			most = Math.max(most, now);
			await Promise.resolve();
			now -= 1;
			return true;
		};

		expect(await new AwaitedJobs(ids).end('0', poll, always)).toBe(true);
		expect(most).toBe(8);
	});

	it('is not guessed where a poll fails or there is no time', async () => {
		const jobs = new AwaitedJobs(['a', 'b']);
		const fails = async () => await Promise.reject(new Error('refused'));
		const ended = async () => await Promise.resolve(true);

		await expect(jobs.end('a', fails, always)).rejects.toThrow('refused');
		await expect(jobs.end('a', ended, () => false)).rejects.toThrow('not enough time');
		expect(await jobs.end('a', ended, always)).toBe(true);
	});

	it('is polled once for a call where a poll fails after another job was known to be under way', async () => {
		const jobs = new AwaitedJobs(['a', 'b', 'c']);
		await jobs.end('a', async () => await Promise.resolve(false), always);
		const polled: string[] = [];
		const fails = async (id: string) => {
			polled.push(id);
			return await Promise.reject(new Error('refused'));
		};

		await expect(jobs.end('c', fails, () => polled.length < 9)).rejects.toThrow('refused');
		expect(polled).toEqual(['b']);
	});
});
