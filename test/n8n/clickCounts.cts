/** Presses of the mouse from the + on the canvas to Execute. */
export interface ClickCount {
	task: string;
	/** With this pack, where the node is chosen by Enter. By the mouse it is one more. */
	clicks: number;
	/** With the official pack 2.1.2, by the mouse alone, counted by hand. */
	official: string;
}

/** What people want first of such a node. */
export const clickCounts = [
	{ task: 'search with markdown', clicks: 5, official: '8' },
	{ task: 'scrape a page', clicks: 4, official: '5' },
	{ task: 'scrape a list of URLs', clicks: 4, official: 'about 20' },
	{ task: 'crawl a website', clicks: 4, official: 'about 20' },
	{ task: 'JSON by example', clicks: 7, official: '10' },
	{ task: 'an agent with a shape', clicks: 5, official: '8' },
] as const satisfies ClickCount[];
