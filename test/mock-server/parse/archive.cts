import { load, type CheerioAPI } from 'cheerio';
import { unzipSync } from 'fflate';
import { posix } from 'node:path';

/** The XML files in a ZIP container, as the office formats and e-books are made of. */
export class Archive {
	private readonly files: Record<string, Uint8Array>;

	/** Throws for what is no ZIP container. */
	constructor(body: Buffer) {
		this.files = unzipSync(body, { filter: ({ name }) => /\.(xml|rels|opf|x?html?)$/.test(name) });
	}

	/** One file as text; undefined when it is not in the container. */
	text(path: string): string | undefined {
		const bytes = this.files[path];
		return bytes && Buffer.from(bytes).toString('utf8');
	}

	/** One file as XML. Throws when it is not in the container. */
	xml(path: string): CheerioAPI {
		const text = this.text(path);
		if (text === undefined) throw new Error(`${path} is missing`);
		return load(text, { xml: true });
	}

	/** The targets of an Office Open XML part's relationships, by id; paths as in the container. */
	relations(path: string): Map<string, string> {
		const { dir, base } = posix.parse(path);
		const source = this.text(`${dir}/_rels/${base}.rels`);
		if (source === undefined) return new Map();
		const $ = load(source, { xml: true });
		return new Map(
			$('Relationship')
				.toArray()
				.map((element) => {
					const { Id = '', Target = '', TargetMode } = element.attribs;
					const inside = Target.startsWith('/') ? Target.slice(1) : posix.join(dir, Target);
					return [Id, TargetMode === 'External' ? Target : inside];
				}),
		);
	}
}
