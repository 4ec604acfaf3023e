import { crawlKind } from '../../../../nodes/WebData/documents/crawlKind';
import { getJob } from '../../../../nodes/WebData/documents/jobOperations';
import { perform } from '../../calls.cjs';

describe('Get of a job', () => {
	it('names the job in its errors', async () => {
		const jobId = '0190a1b2-c3d4-7e5f-8a6b-112233445566';
		const withoutPages = { success: true, status: 'completed' };
		await expect(
			perform(getJob(crawlKind), { jobId, returnAll: true }, withoutPages),
		).rejects.toThrow(`(crawl ${jobId})`);
	});
});
