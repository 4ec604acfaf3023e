import type { IDataObject } from 'n8n-workflow';
import { blockedBy } from '../nodes/WebData/documents/blocked';
import { valuesNotOnPage } from '../nodes/WebData/documents/notOnPage';
import { seededRandom } from '../test/seededRandom.cjs';

/** What is true of a page at a check, and how a look at it may be wrong. */

/** A change of a page that a watch must report once: the first check that can show it, and the last one. */
export interface TrueChange {
	from: number;
	to: number;
	/** Part of the path in the difference. */
	path: string;
}

interface Offer {
	sku: string;
	label: string;
	price: number;
	isThere: boolean;
}

const wall = {
	markdown:
		'# Just a moment...\n\nVerify you are human by completing the action below. Ray ID: 8f2',
	metadata: { title: 'Just a moment...', statusCode: 403 },
};

/** Checks between changes of a page, so that each start belongs to one of them. */
const [firstChange, pause] = [3, 9];

/** Probabilities of noise in a check after the first, and by which of its looks it is met. Both looks show only a wall, or a value that is back at the next check. */
const noise = {
	missing: [0.1, 'one'],
	missingTwice: [0.03, 'both'],
	madeUp: [0.08, 'one'],
	flicker: [0.1, 'one'],
	wall: [0.03, 'one'],
	wallTwice: [0.008, 'both'],
	order: [0.2, 'one'],
} as const;

type Kind = keyof typeof noise;

/** The noise that makes a value look gone: not in two checks in a row, since that is how it is gone. */
const hiding: readonly Kind[] = ['missing', 'missingTwice', 'madeUp'];

/** A shop's page with a script of its own: true changes, and noise by a seed. */
export class WatchedShop {
	readonly changes: TrueChange[] = [];
	/** Checks in which nothing but a wall is seen. */
	readonly walls: number[] = [];
	/** Counts of noise by its kind. */
	static readonly noisy: Record<string, number> = {};
	private readonly random: () => number;
	private readonly offers: Offer[];
	private stock = true;
	private drifting = 0;
	/** The looks of this check that meet each kind of noise. */
	private met = new Map<Kind, number[]>();
	private check = 0;
	private looks = 0;

	constructor(
		readonly url: string,
		readonly kind: 'fields' | 'product',
		seed: number,
		private readonly checks: number,
	) {
		this.random = seededRandom(seed);
		this.offers = ['S', 'M', 'L', 'XL'].map((label, index) => ({
			label,
			sku: `${seed}-${label}`,
			price: 20 + 10 * index + Math.floor(this.random() * 9),
			isThere: label !== 'XL',
		}));
	}

	/** Draws the noise of a check. */
	private disturb(): Map<Kind, number[]> {
		const wasHidden = hiding.some((kind) => this.met.has(kind));
		const met = new Map<Kind, number[]>();
		for (const kind of Object.keys(noise) as Kind[]) {
			const [probability, looks] = noise[kind];
			const happens = this.random() < probability;
			const one = this.random() < 0.5 ? 1 : 2;
			if (!happens || (wasHidden && hiding.includes(kind))) continue;
			// If the second look fails, the first one counts.
			if (kind === 'wall' && met.has('flicker')) continue;
			WatchedShop.noisy[kind] = (WatchedShop.noisy[kind] ?? 0) + 1;
			met.set(kind, looks === 'both' ? [1, 2] : [one]);
		}
		return met;
	}

	private is(...kinds: Kind[]): boolean {
		return kinds.some((kind) => this.met.get(kind)?.includes(this.looks));
	}

	/** Lets the page become what it is at a check. */
	next(check: number): void {
		this.check = check;
		const isCalm = check + pause >= this.checks;
		if (this.drifting > 0) {
			this.drifting -= 1;
			this.offers[0].price = Number((this.offers[0].price * 1.013).toFixed(2));
		}
		if (check >= firstChange && (check - firstChange) % pause === 0 && !isCalm) this.change(check);
		this.met = check === 0 ? new Map() : this.disturb();
		this.looks = 0;
		if (this.met.has('wallTwice')) this.walls.push(check);
	}

	private change(check: number): void {
		const kind = Math.floor(this.random() * 5);
		const [first, second, , last] = this.offers;
		const changed = (path: string, checks = 3) =>
			this.changes.push({ from: check, to: check + checks, path });
		if (kind === 0) {
			second.price = Number((second.price * (this.random() < 0.5 ? 0.8 : 1.2)).toFixed(2));
			changed('price');
		} else if (kind === 1) {
			this.stock = !this.stock;
			changed('tock');
		} else if (kind === 2) {
			last.isThere = !last.isThere;
			changed(last.sku, last.isThere ? 3 : 4);
		} else if (kind === 3) {
			// Small steps that add up: 1.3 % a check.
			this.drifting = 4;
			changed(first.sku, 7);
		}
	}

	/** The document of a look at the page. */
	async look(): Promise<IDataObject> {
		this.looks += 1;
		const metadata = { sourceURL: this.url, title: this.url, statusCode: 200 };
		if (this.is('wall', 'wallTwice')) {
			const document = { ...wall, metadata: { ...wall.metadata, sourceURL: this.url } };
			return { ...document, blocked: blockedBy(document) };
		}
		const isMoved = this.is('order');
		const offers = this.offers
			.filter(({ isThere }) => isThere)
			.map(({ isThere: _, ...offer }) => offer);
		if (isMoved) offers.reverse();
		const shown = offers.map((offer, index) => ({
			...offer,
			price:
				this.is('flicker') && index === 0 ? Number((offer.price * 0.7).toFixed(2)) : offer.price,
		}));
		const markdown = [
			`# Shop ${this.url}`,
			...shown.map(({ sku, label, price }) => `${label} (${sku}): € ${price}`),
			`In stock: ${this.stock ? 'yes' : 'no'}`,
		].join('\n\n');
		return this.kind === 'fields'
			? await this.fields(shown, markdown, metadata)
			: this.product(shown, markdown, metadata);
	}

	private async fields(
		offers: Array<Omit<Offer, 'isThere'>>,
		markdown: string,
		metadata: IDataObject,
	): Promise<IDataObject> {
		const hides = this.is('missing', 'missingTwice');
		const listed = offers.map(({ sku, label, price }, index) => {
			const value = this.is('madeUp') && index === 0 ? 7_777 + this.check : price;
			const amount = hides && label === 'L' ? null : value;
			return !this.is('order') ? { sku, label, price: amount } : { price: amount, label, sku };
		});
		// A model may also leave out an entry.
		const entries = this.random() < 0.5 ? listed.filter(({ price }) => price !== null) : listed;
		const json = { inStock: this.stock ? 'yes' : 'no', offers: entries };
		const notOnPage = await valuesNotOnPage(json, markdown, this.url);
		return { json, markdown, metadata, ...(notOnPage.length > 0 && { notOnPage }) } as IDataObject;
	}

	private product(
		offers: Array<Omit<Offer, 'isThere'>>,
		markdown: string,
		metadata: IDataObject,
	): IDataObject {
		const hides = this.is('missing', 'missingTwice');
		const variants = offers.map(({ sku, label, price }) => ({
			sku,
			values: [label],
			...(!(hides && label === 'L') && { price: { amount: price, currency: 'EUR' } }),
			availability: { inStock: this.stock },
		}));
		const product = {
			title: this.url,
			url: this.url,
			description: this.is('order') ? 'In new words' : 'As ever',
			variants,
		};
		return { product, markdown, metadata } as IDataObject;
	}
}
