import { keyHash, SeenSet, type SeenStatus } from '../../../runtime/values/seenSet';
import { mostPages } from './request';

const markLength = 11;

/** Stands for a URL that leads to no page of the site. */
export const noPage = ' '.repeat(markLength);

/** Pages of a site as n8n's static data holds them. */
export interface StoredPages {
	/** Their IDs and states. */
	pages?: unknown;
	/** Those of earlier builds, whose IDs were of the page alone. */
	seen?: unknown;
	/** URLs that lead to a page of another URL, or to none: their fingerprints, each with the page's ID. */
	redirects?: unknown;
}

function redirectsIn(stored: unknown): Map<string, string> {
	const text = typeof stored === 'string' ? stored : '';
	const redirects = new Map<string, string>();
	for (let from = 0; from < text.length; from += 2 * markLength) {
		const to = from + markLength;
		redirects.set(text.slice(from, to), text.slice(to, to + markLength));
	}
	return redirects;
}

/** A function of texts that works once on each of them. */
function once(work: (text: string) => string): (text: string) => string {
	const known = new Map<string, string>();
	return (text) => {
		const value = known.get(text) ?? work(text);
		known.set(text, value);
		return value;
	};
}

/**
 * The pages of a site that are stored, by the keys of their URLs (`pageKey`), each under the ID that its chunks carry. IDs are of site and page, so
 * that no site's run deletes what another one has stored. Earlier builds had IDs of the page alone: a page
 * keeps such an ID until it is stored again.
 */
export class KnownPages {
	private readonly own: SeenSet;
	private readonly former: SeenSet;
	private readonly redirects: Map<string, string>;
	private readonly ownMark = once((key) => keyHash(`${this.site} ${key}`));
	private readonly formerMark = once(keyHash);

	/** `site` names the site; `shared` are IDs of earlier builds that other sites have, too. */
	constructor(
		private readonly site: string,
		{ pages, seen, redirects }: StoredPages = {},
		private readonly shared: ReadonlySet<string> = new Set(),
	) {
		this.own = new SeenSet(pages, mostPages);
		this.former = new SeenSet(seen, mostPages);
		this.redirects = redirectsIn(redirects);
	}

	/** The IDs of all known pages. */
	get ids(): string[] {
		return [...this.former.hashes, ...this.own.hashes];
	}

	/** The ID under which a page is stored from now on. */
	idOf(key: string): string {
		return this.ownMark(key);
	}

	/** The ID under which a page is stored; undefined for one that is not. */
	storedIdOf(key: string): string | undefined {
		return this.own.statusOfHash(this.ownMark(key)) === 'new'
			? this.formerIdOf(key)
			: this.idOf(key);
	}

	/** The ID of earlier builds under which a page is stored, if it is. */
	formerIdOf(key: string): string | undefined {
		const mark = this.formerMark(key);
		return this.former.statusOfHash(mark) === 'new' ? undefined : mark;
	}

	/** Whether an ID can be another site's. */
	isShared(id: string): boolean {
		return this.shared.has(id);
	}

	/** Where a URL led when it was last requested: the ID of another page, or `noPage`. */
	leadsTo(key: string): string | undefined {
		return this.redirects.get(this.formerMark(key));
	}

	judge(key: string, state: string): SeenStatus {
		const status = this.own.statusOfHash(this.ownMark(key), state);
		return status === 'new' ? this.former.statusOfHash(this.formerMark(key), state) : status;
	}

	/** Notes that a page was found in this state: under the ID that it has if it is unchanged, else under a new one. */
	remember(key: string, state: string): void {
		const [own, former] = [this.ownMark(key), this.formerMark(key)];
		const isFormer = this.own.statusOfHash(own) === 'new';
		if (isFormer && this.former.statusOfHash(former, state) === 'known') {
			this.former.addHash(former, state);
			return;
		}
		this.former.forget(former);
		this.own.addHash(own, state);
	}

	forget(id: string): void {
		this.own.forget(id);
		this.former.forget(id);
	}

	/** Notes where a URL leads: to the page of another one, or to none. */
	rememberRedirect(asked: string, key?: string): void {
		const mark = this.formerMark(asked);
		this.redirects.delete(mark);
		this.redirects.set(mark, (key !== undefined && this.storedIdOf(key)) || noPage);
	}

	toStored(): Record<string, string> {
		const known = new Set([noPage, ...this.ids]);
		const redirects = [...this.redirects]
			.filter(([, id]) => known.has(id))
			.slice(-mostPages)
			.flat()
			.join('');
		const seen = this.former.toString();
		return {
			pages: this.own.toString(),
			...(seen !== '' && { seen }),
			...(redirects !== '' && { redirects }),
		};
	}
}
