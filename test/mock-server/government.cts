import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

import { projectRoot } from '../root.cjs';
import { TextIndex } from './search/textIndex.cjs';

const publicationSchema = z
	.object({ url: z.string(), title: z.string(), description: z.string() })
	.strict();
type Publication = z.output<typeof publicationSchema>;

/** A hit, as `data.web` has it. */
export interface GovernmentResult extends Publication {
	position: number;
	category: 'gov';
}

/** The government index: own-made statutes, regulations, opinions and bills of no real government. */
export class GovernmentIndex {
	private readonly index: TextIndex<Publication>;

	constructor() {
		const path = join(projectRoot, 'test/mock-server/data/government.json');
		const publications = z.array(publicationSchema).parse(JSON.parse(readFileSync(path, 'utf8')));
		this.index = new TextIndex(publications, ({ title, description }) => ({ title, description }), {
			title: 3,
			description: 1,
		});
	}

	/** The best matches first. */
	search(query: string, count: number): GovernmentResult[] {
		return this.index
			.search(query)
			.slice(0, count)
			.map(({ item }, index) => ({ ...item, position: index + 1, category: 'gov' }));
	}
}
