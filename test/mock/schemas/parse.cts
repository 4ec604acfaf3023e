import { z } from 'zod/v4';

import { ApiError, badRequest } from '../errors.cjs';
import { parseBody, stamps } from './fields.cjs';
import { optionsObject } from './scrapeOptions.cjs';

const megabyte = 1024 * 1024;
export const maxFileBytes = 50 * megabyte;

/** The formats that the server takes for files, whether or not they make sense there. */
const parseFormats = new Set(
	(
		'markdown summary html rawHtml links images json attributes question highlights product menu ' +
		'audio video'
	).split(' '),
);

const options = optionsObject
	.omit({
		...{ minAge: true, waitFor: true, mobile: true, fastMode: true, actions: true },
		...{ location: true, storeInCache: true, threatProtection: true },
	})
	.extend({
		proxy: z.enum(['basic', 'auto']).optional(),
		zeroDataRetention: z.boolean().optional(),
		...stamps,
	});

/** Reads the `options` of a multipart request, or throws the 400. */
export function parseOptions(given: unknown): z.output<typeof options> {
	refuseUnsupported(given);
	return parseBody(options, given);
}

const named: Partial<Record<string, string>> = {
	mobile: 'mobile rendering',
	location: 'location overrides',
	'formats.branding': 'branding output',
	'formats.screenshot': 'screenshot output',
	'formats.changeTracking': 'change tracking',
};

/** Throws the 400 of the first option that a scrape takes and a file does not. */
function refuseUnsupported(given: unknown): void {
	if (typeof given !== 'object' || given === null) return;
	const unsupported = Object.entries(given).flatMap(([key, value]: [string, unknown]) => {
		if (key in optionsObject.shape && !(key in options.shape)) return [key];
		if (key === 'proxy' && (value === 'enhanced' || value === 'stealth')) return [key];
		return key === 'formats' && Array.isArray(value) ? unsupportedFormats(value) : [];
	});
	const [first] = unsupported;
	if (first === undefined) return;
	if (first === 'formats.rawBase64') {
		const message = 'The rawBase64 format is not supported for parse uploads';
		throw badRequest([{ code: 'custom', path: [], message }], message);
	}
	const rule =
		first === 'proxy'
			? 'only support proxy values of auto or basic'
			: `do not support ${named[first] ?? first.replace('formats.', '')}`;
	throw new ApiError(400, {
		code: 'PARSE_UNSUPPORTED_OPTIONS',
		error: `Parse uploads ${rule}.`,
	});
}

function unsupportedFormats(list: readonly unknown[]): string[] {
	return list
		.map((item) => (typeof item === 'object' && item !== null && 'type' in item ? item.type : item))
		.filter((type): type is string => typeof type === 'string' && !parseFormats.has(type))
		.map((type) => `formats.${type}`);
}
