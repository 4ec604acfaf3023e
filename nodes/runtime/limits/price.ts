import { sum } from '../values/sum';

/** What a request can cost, in credits, and why. */
export interface Price {
	/** Least that it costs when it does not fail. */
	least: number;
	/** Most that it can cost; null where nothing tells before. */
	most: number | null;
	/** What is set aside while it is under way: the most, or where that is not known what it costs at first. */
	reserved: number;
	/** Whether only its answer tells how much more than that it cost, so that it is sent alone. */
	runsAlone?: boolean;
	/** Whether a PDF that it may come upon costs more than `most`, by its pages. */
	pdfsCostMore?: boolean;
	/** Whether a page of X that it may come upon costs more than `most`. */
	xPagesCostMore?: boolean;
	/** The price of an error with this code: 0 when left out. */
	costOfError?(code: string): number;
	/** Why, in the user's words. */
	reasons: string[];
}

/** A price between two bounds. */
export const price = (least: number, most: number, ...reasons: string[]): Price => ({
	least,
	most,
	reserved: most,
	reasons,
});

/** A price that is the same in any case. */
export const fixedPrice = (credits: number, ...reasons: string[]): Price =>
	price(credits, credits, ...reasons);

/** A price of which nobody knows before how high it may become. */
export const openPrice = (least: number, reserved: number, ...reasons: string[]): Price => ({
	least,
	most: null,
	reserved,
	reasons,
});

/** What costs nothing. */
export const free: Price = fixedPrice(0, 'Free');

/** What several things cost together, each with its reasons. */
export function sumOf(prices: Price[]): Price {
	if (prices.length === 1) return prices[0];
	const most = prices.map((each) => each.most);
	const known = most.filter((each) => each !== null);
	return {
		least: sum(prices.map(({ least }) => least)),
		most: known.length < most.length ? null : sum(known),
		reserved: sum(prices.map(({ reserved }) => reserved)),
		...(prices.some(({ runsAlone }) => runsAlone) && { runsAlone: true }),
		...(prices.some(({ pdfsCostMore }) => pdfsCostMore) && { pdfsCostMore: true }),
		...(prices.some(({ xPagesCostMore }) => xPagesCostMore) && { xPagesCostMore: true }),
		reasons: [...new Set(prices.flatMap(({ reasons }) => reasons))],
	};
}

/** What any number of one thing costs, up to `count`: none at the least. An error is one of the whole, then. */
export const upTo = (count: number, { most, reserved, ...one }: Price): Price => ({
	...one,
	least: 0,
	most: most === null ? null : count * most,
	reserved: count * reserved,
	costOfError: undefined,
});
