import { z } from 'zod';

import { ApiError } from '../errors.cjs';
import { parseBody, stamps, strict } from './body.cjs';
import { scrapeOptionFields } from './scrapeOptions.cjs';

const megabyte = 1024 * 1024;
export const maxFileBytes = 50 * megabyte;

/** The formats that the server takes for files, whether or not they make sense there. */
const parseFormats = new Set(
	(
		'markdown summary html rawHtml links images json attributes question highlights product menu ' +
		'audio video'
	).split(' '),
);

const taken = strict(scrapeOptionFields).pick({
	formats: true,
	onlyMainContent: true,
	includeTags: true,
	excludeTags: true,
	headers: true,
	timeout: true,
	parsers: true,
	skipTlsVerification: true,
	removeBase64Images: true,
	blockAds: true,
	checkPromptInjection: true,
	redactPII: true,
	auditMetadata: true,
});

const options = taken.extend({
	proxy: z.enum(['basic', 'auto']).optional(),
	zeroDataRetention: z.boolean().optional(),
	...stamps,
});
export type ParseOptions = z.output<typeof options>;

const reference = options.extend({ uploadRef: z.string().min(1) });

/** Reads the `options` of a multipart request, or throws the 400. */
export function parseOptions(given: unknown): ParseOptions {
	refuseUnsupported(given);
	return parseBody(options, given);
}

/** Reads the JSON body that names an upload, or throws the 400. */
export function parseReference(given: unknown): z.output<typeof reference> {
	refuseUnsupported(given);
	return parseBody(reference, given);
}

/** Throws the 400 of options that a scrape takes and a file does not. */
function refuseUnsupported(given: unknown): void {
	if (typeof given !== 'object' || given === null) return;
	const named = Object.entries(given).flatMap(([key, value]: [string, unknown]) => {
		if (key in scrapeOptionFields && !(key in options.shape)) return [key];
		if (key === 'proxy' && value === 'enhanced') return ['proxy'];
		return key === 'formats' && Array.isArray(value) ? unsupportedFormats(value) : [];
	});
	if (named.length === 0) return;
	throw new ApiError(400, {
		code: 'PARSE_UNSUPPORTED_OPTIONS',
		error: `Unsupported parse options: ${named.join(', ')}`,
	});
}

function unsupportedFormats(list: readonly unknown[]): string[] {
	return list
		.map((item) => (typeof item === 'object' && item !== null && 'type' in item ? item.type : item))
		.filter((type): type is string => typeof type === 'string' && !parseFormats.has(type))
		.map((type) => `formats.${type}`);
}

export const uploadRequest = strict({
	filename: z.string().trim().min(1).max(512),
	contentType: z.string().min(1).max(255).optional(),
	declaredSizeBytes: z.number().int().positive().max(maxFileBytes).optional(),
	...stamps,
});
export type UploadRequest = z.output<typeof uploadRequest>;
