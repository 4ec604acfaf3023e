import { Agent, request, type Dispatcher } from 'undici';
import { optionsOf, requestOf, subjectOf, type Workload } from './contenders.cjs';

interface Crawl {
	id: string;
	status: string;
	next?: string | null;
	data: unknown[];
}

/** Looks at a job until it has ended, and reads its pages one after the other. Resolves with how many documents there are. */
async function rawCrawl({ task, url, key }: Workload, dispatcher: Dispatcher): Promise<number> {
	const authorization = `Bearer ${key}`;
	const ask = async (address: string, body?: object): Promise<Crawl> => {
		const response = await request(address, {
			dispatcher,
			method: body ? 'POST' : 'GET',
			headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
			...(body && { body: JSON.stringify(body) }),
		});
		return (await response.body.json()) as Crawl;
	};
	if (task.kind !== 'crawl') throw new Error('No crawl');
	const { id } = await ask(`${url}/crawl`, { url: task.url, limit: task.pages, sitemap: 'only' });
	let page = await ask(`${url}/crawl/${id}`);
	while (page.status === 'scraping') {
		await new Promise((resolve) => setTimeout(resolve, 1000));
		page = await ask(`${url}/crawl/${id}`);
	}
	const documents = [...page.data];
	while (page.next) {
		page = await ask(page.next);
		documents.push(...page.data);
	}
	return documents.length;
}

/** Sends a request for each item. Resolves with how many were answered well. */
async function rawRequests(
	{ task, url, key, items, width }: Workload,
	label: string,
	dispatcher: Dispatcher,
	keepAlive: boolean,
): Promise<number> {
	const { path, member } = requestOf(task);
	const options = optionsOf(task);
	const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
	let answered = 0;
	let next = 0;
	const work = async (): Promise<void> => {
		while (next < items) {
			const subject = subjectOf(task, next, label);
			next += 1;
			const response = await request(`${url}${path}`, {
				dispatcher,
				method: 'POST',
				headers,
				body: JSON.stringify({ [member]: subject, ...options }),
				reset: !keepAlive,
			});
			await response.body.json();
			if (response.statusCode === 200) answered += 1;
		}
	};
	await Promise.all(Array.from({ length: width }, work));
	return answered;
}

/**
 * A workload without n8n, by the fastest client there is for Node.js. `keepAlive`: connections are used
 * again; n8n's client makes one for each request. Resolves with how many results there are.
 */
export async function rawRun(
	workload: Workload,
	label: string,
	keepAlive: boolean,
): Promise<number> {
	const dispatcher = new Agent({ connections: workload.width, pipelining: 1 });
	try {
		return workload.task.kind === 'crawl'
			? await rawCrawl(workload, dispatcher)
			: await rawRequests(workload, label, dispatcher, keepAlive);
	} finally {
		await dispatcher.close();
	}
}
