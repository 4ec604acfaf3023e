import { sum } from '../values/numbers';

/** Price of a request in credits, with reasons. */
export interface Price {
	/** Least cost of a success. */
	least: number;
	/** Highest cost; null if unknown. */
	most: number | null;
	/** Credits to reserve while it runs: the highest cost, or the initial one if that is unknown. */
	reserved: number;
	/** Whether only its response shows the rest of its cost, so that it runs alone. */
	runsAlone?: boolean;
	/** Whether a PDF among the pages costs more than `most`, by its length. */
	pdfsCostMore?: boolean;
	/** Whether a page of X costs more than `most`. */
	xPagesCostMore?: boolean;
	/** The price of an error code: 0 if omitted. */
	costOfError?(code: string): number;
	/** Reasons for the user. */
	reasons: string[];
}

/** A price range. */
export const price = (least: number, most: number, ...reasons: string[]): Price => ({
	least,
	most,
	reserved: most,
	reasons,
});

/** A fixed price. */
export const fixedPrice = (credits: number, ...reasons: string[]): Price =>
	price(credits, credits, ...reasons);

/** A price without a known maximum. */
export const openPrice = (least: number, reserved: number, ...reasons: string[]): Price => ({
	least,
	most: null,
	reserved,
	reasons,
});

/** The price of free requests. */
export const free: Price = fixedPrice(0, 'Free');

/** The sum of prices, with all reasons. */
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

/** The price of up to `count` units: at least none. An error counts as one of the whole. */
export const upTo = (count: number, { most, reserved, ...one }: Price): Price => ({
	...one,
	least: 0,
	most: most === null ? null : count * most,
	reserved: count * reserved,
	costOfError: undefined,
});
