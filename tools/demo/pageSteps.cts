import type { PageJob } from '../../test/mock/pageJobs/job.cjs';
import type { Service } from '../../test/mock/service.cjs';

/** The batches and crawls of the mock server that have read a page: each page is charged to its job. */
function jobsOf({ context }: Service): PageJob[] {
	const ids = new Set(context.ledger.entries.flatMap(({ jobId }) => jobId ?? []));
	return [...ids].flatMap((id) => {
		const job = context.pageJobs.find(id);
		return job === undefined || job === 'expired' ? [] : [job];
	});
}

/** Tells what the batches and crawls of the mock server have read since the last look, each page once. */
export function pageSteps(service: Service, tell: (line: string) => void): () => void {
	const told = new WeakSet<object>();
	const tellOnce = (page: object, line: string): void => {
		if (!told.has(page)) tell(line);
		told.add(page);
	};
	return () => {
		for (const { documents, errors } of jobsOf(service)) {
			for (const document of documents) {
				const { title, sourceURL } = document.metadata;
				tellOnce(document, `Read ${String(title)}: ${String(sourceURL)}`);
			}
			for (const error of errors) tellOnce(error, `Not read: ${error.url} (${error.error})`);
		}
	};
}
