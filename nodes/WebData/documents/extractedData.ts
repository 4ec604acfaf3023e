import type { IDataObject } from 'n8n-workflow';
import { asRecord, onlyList, without } from '../../runtime/output/results';
import { fieldOf, isRecord } from '../../runtime/values/record';
import { isNamedList } from '../fields/jsonSchema';
import { repeatedUrl } from './repeatedTexts';
import { requestedFormats, typeOfFormat } from './requestedFormats';

type JsonOutput = 'entries' | 'fields' | 'nested';

/** The position of extracted data that follows from the formats of a request. */
function positionIn(request: unknown): JsonOutput {
	const formats = requestedFormats(request);
	if (formats.length !== 1 || typeOfFormat(formats[0]) !== 'json') return 'nested';
	return isNamedList(fieldOf(formats[0], 'schema')) ? 'entries' : 'fields';
}

/** Extracted fields, then those of the page. A field of the page with the same name moves to `original`. */
function withPage(extracted: IDataObject, page: IDataObject): IDataObject {
	const clashes = Object.entries(page).filter(([name]) => Object.hasOwn(extracted, name));
	if (clashes.length === 0) return { ...extracted, ...page };
	const moved = clashes.map(([name]) => name);
	const own = Object.hasOwn(extracted, 'original') ? { original: extracted.original } : {};
	return {
		...extracted,
		...without(page, ...moved),
		original: { ...Object.fromEntries(clashes), ...own },
	};
}

/**
 * Creates the function that brings the data that a model extracted from a page to the top of its
 * item. An entry of a list has an item of its own, with the page's URL; the first has the page's
 * other fields, too.
 */
export function createExtraction(request: unknown): (page: IDataObject) => IDataObject[] {
	const position = positionIn(request);
	return (page) => {
		const { json, url } = page;
		if (position === 'nested' || typeof json !== 'object' || json === null) return [page];
		const beside = without(page, 'json');
		const split = position === 'entries' ? onlyList(json) : undefined;
		if (!split) return isRecord(json) ? [withPage(json as IDataObject, beside)] : [page];
		const first = {
			...beside,
			...(Object.keys(split.beside).length > 0 && { json: split.beside }),
		};
		const other = typeof url === 'string' ? { url: repeatedUrl(url) } : {};
		const made = split.entries.map((entry, index) =>
			withPage(asRecord(entry), index === 0 ? first : other),
		);
		return made.length > 0 ? made : [page];
	};
}
