import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { passageResults } from '../nodes/WebData/resources/searchPassages';
import { projectRoot } from '../test/root.cjs';
import { countTo } from './bench.cjs';
import { serveOrders } from './remote.cjs';

/** What passages are chosen by. */
export interface PassagesOrder {
	question: string;
	maxTokens: number;
	/** How often they are chosen before it is measured, and while it is. */
	before: number;
	times: number;
}

/** Ten pages of 100,000 characters, of the English pages of the questions. */
function tenLongPages() {
	const folder = join(projectRoot, 'bench/passages/pages/en');
	const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
	const all = texts.join('\n\n');
	const text = all.repeat(Math.ceil(1_000_000 / all.length));
	return countTo(10).map((number) => ({
		title: `Part ${number}`,
		about: { title: `Part ${number}`, url: `https://docs.example/${number}` },
		request: {},
		text: text.slice((number - 1) * 100_000, number * 100_000),
	}));
}

/** Read once: what reading them leaves behind is not part of the choice. */
const pages = tenLongPages();

/** The CPU time in milliseconds in which the passages of ten long pages are chosen. */
async function choosingTime({ question, maxTokens }: PassagesOrder): Promise<number> {
	const before = process.cpuUsage();
	await passageResults(pages, [question], maxTokens);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

serveOrders<PassagesOrder, number[]>(async (order) => {
	const times: number[] = [];
	for (const _ of countTo(order.before + order.times)) times.push(await choosingTime(order));
	return times.slice(order.before);
});
