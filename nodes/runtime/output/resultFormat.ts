import type { IDataObject } from 'n8n-workflow';
import type { OutputOptions } from '../form/options';
import type { Result, Values } from '../operation/operation';
import type { FileReference } from './files';

/** What is known of the contents of results. The nodes hand it to the runtime, which knows no format of them. */
export interface ResultFormat {
	/** The output options that operations bring along. */
	outputOptions: OutputOptions;
	/** The files in a result. */
	filesIn(json: IDataObject): FileReference[];
	/** Brings the results of an item with these parameters into the order and length that the user wants. `keepsAll` is false where fields are chosen of them later. */
	createTransform(values: Values, keepsAll: boolean): (json: IDataObject) => IDataObject;
	/** What to say of results that are not whole; undefined when all are. */
	noticeOf(results: readonly Result[]): string | undefined;
	/** The question that a request asks; undefined where it asks none. */
	questionIn(request: unknown): string | undefined;
	/** Names of members that are whole texts from the web. */
	texts: ReadonlySet<string>;
	/** Those of texts that are HTML; others are read as Markdown. */
	htmlTexts: ReadonlySet<string>;
}
