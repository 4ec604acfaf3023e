import { fieldOf } from '../../runtime/values/record';

/** A scrape option, wherever a request has it. */
export const scrapeOption = (request: unknown, name: string): unknown =>
	fieldOf(request, name) ?? fieldOf(fieldOf(request, 'scrapeOptions'), name);

/** The formats of a request. */
export function requestedFormats(request: unknown): unknown[] {
	const formats = scrapeOption(request, 'formats');
	return Array.isArray(formats) ? formats : [];
}

/** The name of a format in any form. */
export const typeOfFormat = (format: unknown): string =>
	typeof format === 'string' ? format : String(fieldOf(format, 'type'));
