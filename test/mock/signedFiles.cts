import { randomUUID } from 'node:crypto';

import { png } from './site/files.cjs';
import type { Clock } from './clock.cjs';

const hour = 3_600_000;
export const lifetimes = { screenshot: 24 * hour, media: hour, pdf: 24 * hour };

interface SignedFile {
	contentType: string;
	body: Buffer;
}

/** Files behind links that expire. A file is made when its link is first opened. */
export class SignedFiles {
	private readonly files = new Map<string, { expires: number; make: () => SignedFile }>();

	constructor(
		private readonly clock: Clock,
		private readonly origin: () => string,
	) {}

	/** The link of a new file; `name` ends the path, so that clients see a file name. */
	add(name: string, lifetime: number, make: () => SignedFile): string {
		const id = randomUUID();
		const expires = this.clock.now() + lifetime;
		this.files.set(id, { expires, make });
		return `${this.origin()}/_files/${id}/${name}?expires=${Math.floor(expires / 1000)}`;
	}

	/** The file, or undefined when there is none or its link has died. */
	open(id: string): SignedFile | undefined {
		const file = this.files.get(id);
		if (!file || this.clock.now() >= file.expires) return undefined;
		return file.make();
	}

	clear(): void {
		this.files.clear();
	}
}

/** The signed link of a picture of a page, whichever it is and however large. */
export const screenshot = (files: SignedFiles): string =>
	files.add('screenshot.png', lifetimes.screenshot, () => ({
		contentType: 'image/png',
		body: png,
	}));
