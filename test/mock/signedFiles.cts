import { randomUUID } from 'node:crypto';

import type { Clock } from './clock.cjs';

const hour = 3_600_000;

/** Files behind links that die after an hour. */
export class SignedFiles {
	private readonly files = new Map<string, { contentType: string; body: Buffer; dies: number }>();

	constructor(
		private readonly clock: Clock,
		private readonly origin: () => string,
	) {}

	/** The link of a new file; `name` ends the path, so that clients see a file name. */
	add(name: string, contentType: string, body: Buffer): string {
		const id = randomUUID();
		const dies = this.clock.now() + hour;
		this.files.set(id, { contentType, body, dies });
		return `${this.origin()}/_files/${id}/${name}?expires=${Math.floor(dies / 1000)}`;
	}

	/** The file, or undefined when there is none or its link has died. */
	open(id: string): { contentType: string; body: Buffer } | undefined {
		const file = this.files.get(id);
		return file && this.clock.now() < file.dies ? file : undefined;
	}

	clear(): void {
		this.files.clear();
	}
}
