import type { IDataObject } from 'n8n-workflow';
import type { Settings } from '../form/options';
import type { Result } from '../operation/operation';
import type { FileReference } from './files';

/** The format of results, which the nodes pass to the runtime. */
export interface ResultFormat {
	/** Finds the files in a result. */
	filesIn(json: IDataObject): FileReference[];
	/** Creates the function that sorts, shortens and splits results by an item's settings and request. */
	createTransform(settings: Settings, request: unknown): (json: IDataObject) => IDataObject[];
	/** Warns of incomplete results; undefined if all are complete. */
	noticeOf(results: readonly Result[]): Promise<string | undefined>;
	/** The question in a request; undefined if it has none. */
	questionIn(request: unknown): string | undefined;
	/** Names of fields with texts from the web. */
	texts: ReadonlySet<string>;
	/** Names of those with HTML; the others are Markdown. */
	htmlTexts: ReadonlySet<string>;
}
