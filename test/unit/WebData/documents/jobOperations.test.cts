import { crawlKind } from '../../../../nodes/WebData/documents/crawl';
import { jobOperations } from '../../../../nodes/WebData/documents/documentJob';
import { perform } from '../../calls.cjs';

const [getJob] = jobOperations(crawlKind);

describe('Get of a job', () => {
	it('names the job in its errors', async () => {
		const jobId = '0190a1b2-c3d4-7e5f-8a6b-112233445566';
		const withoutPages = { success: true, status: 'completed' };
		await expect(perform(getJob, { jobId, returnAll: true }, withoutPages)).rejects.toThrow(
			`(crawl ${jobId})`,
		);
	});
});
