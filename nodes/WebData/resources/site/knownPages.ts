import { keyHash, SeenSet, type SeenStatus } from '../../../runtime/values/seenSet';
import { mostPages } from './request';

const markLength = 11;

/** The target of URLs that lead to no page of the site. */
export const noPage = ' '.repeat(markLength);

/** The pages of a site in n8n's static data. */
export interface StoredPages {
	/** Their IDs and states. */
	pages?: unknown;
	/** Pages of earlier builds, whose IDs depend only on the page. */
	seen?: unknown;
	/** Hashes of URLs that lead to another page or none, each with the page's ID. */
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

/** Memoizes a function of texts. */
function once(work: (text: string) => string): (text: string) => string {
	const known = new Map<string, string>();
	return (text) => {
		const value = known.get(text) ?? work(text);
		known.set(text, value);
		return value;
	};
}

/**
 * The stored pages of a site, by the keys of their URLs (`pageKey`), each with the ID that its
 * chunks carry. IDs depend on site and page, so that no site's run deletes another's pages. IDs of
 * earlier builds depend only on the page; a page keeps such an ID until it is stored again.
 */
export class KnownPages {
	private readonly own: SeenSet;
	private readonly former: SeenSet;
	private readonly redirects: Map<string, string>;
	private readonly ownMark = once((key) => keyHash(`${this.site} ${key}`));
	private readonly formerMark = once(keyHash);

	/**
	 * `site` identifies the site; `shared` are IDs of earlier builds that other sites have, too.
	 */
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

	/** The ID under which a page is stored; undefined if it is not. */
	storedIdOf(key: string): string | undefined {
		return this.own.statusOfHash(this.ownMark(key)) === 'new'
			? this.formerIdOf(key)
			: this.idOf(key);
	}

	/** The ID of earlier builds under which a page is stored, if any. */
	formerIdOf(key: string): string | undefined {
		const mark = this.formerMark(key);
		return this.former.statusOfHash(mark) === 'new' ? undefined : mark;
	}

	/** Whether another site may use an ID, too. */
	isShared(id: string): boolean {
		return this.shared.has(id);
	}

	/** The target of a URL at its last request: the ID of another page, or `noPage`. */
	leadsTo(key: string): string | undefined {
		return this.redirects.get(this.formerMark(key));
	}

	judge(key: string, state: string): SeenStatus {
		const status = this.own.statusOfHash(this.ownMark(key), state);
		return status === 'new' ? this.former.statusOfHash(this.formerMark(key), state) : status;
	}

	/** Records a page's state: under its current ID if it is unchanged, else under a new one. */
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

	/** Records the target of a URL: another page or none. */
	rememberRedirect(requestedUrl: string, key?: string): void {
		const mark = this.formerMark(requestedUrl);
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
