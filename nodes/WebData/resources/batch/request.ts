import type { z } from 'zod/v3';
import { ValidationFailure } from '../../../runtime/form/schema';
import { boolean, editorOnly, field, integer, oneOf, required } from '../../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import type { Values } from '../../../runtime/operation/operation';
import { canonical } from '../../documents/pageUrl';
import { callerMembers } from '../../fields/caller';
import { formats } from '../../fields/formats';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { readingMembers, scrapeOptionRules } from '../../fields/scrapeOptions';
import { uncheckedUrls, url } from '../../fields/url';
import { exampleId, id } from '../../fields/uuid';
import { documentWebhook } from '../../fields/webhook';
import { zeroDataRetention } from '../../fields/zeroDataRetention';

/** The service takes JSON of at most 10 MB (https://docs.firecrawl.dev/api-reference/introduction). */
const largestRequest = 10_000_000;

const request = form(
	{
		urls: required(
			field(
				{
					displayName: 'URLs',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
					placeholder: 'e.g. https://example.com/a, https://example.com/b',
					description: 'URLs to scrape, separated by commas or new lines, or a list by expression',
				},
				uncheckedUrls({ min: 1 }),
			),
		),
		formats,
		inputItems: editorOnly(
			oneOf({
				displayName: 'Input Items',
				default: 'together',
				options: [
					{ name: 'One Batch for All Items', value: 'together' },
					{ name: 'One Batch per Item', value: 'each' },
				],
				description:
					'Whether to combine the URLs of all input items into one batch. Each output item is linked to its input item.',
			}),
		),
		...readingMembers,
		...additionalFields({
			appendToId: id({
				displayName: 'Append to ID',
				placeholder: exampleId,
				description: 'ID of an existing batch to add the URLs to',
			}),
			ignoreInvalidURLs: boolean({
				displayName: 'Ignore Invalid URLs',
				default: true,
				description: 'Whether to skip invalid URLs instead of failing the batch',
			}),
			maxConcurrency: integer({
				displayName: 'Max Concurrency',
				min: 1,
				default: 2,
				description: "Max number of pages to scrape at once; the plan's limit if not set",
			}),
			requestJson,
			webhook: documentWebhook,
			zeroDataRetention,
		}),
		...callerMembers,
	},
	(body, refuse) => {
		scrapeOptionRules(body, refuse);
		if (JSON.stringify(body.urls).length > largestRequest) {
			refuse('must be at most 10 MB in one batch; split the input into several', 'urls');
		}
		if (body.ignoreInvalidURLs) return;
		for (const [index, address] of body.urls.entries()) {
			const [issue] = url().safeParse(address).error?.issues ?? [];
			if (issue) refuse(issue.message, 'urls', index);
		}
	},
);

/** What a batch is asked. */
export type BatchRequest = z.output<typeof request.schema>;

/** The body of POST /batch/scrape. */
export const batchRequest = mapSchema(request, (schema) =>
	withRequestJson(schema, ['scrapeOptions']),
);

/** One batch for all items, where the user wants that: every address once, and all else the same for all. */
export function mergeBatches(
	bodies: BatchRequest[],
	{ inputItems }: Values,
): BatchRequest | ValidationFailure | undefined {
	if (inputItems === 'each') return undefined;
	const rests = new Set(bodies.map((body) => JSON.stringify({ ...body, urls: [] })));
	if (rests.size > 1) {
		return new ValidationFailure(
			`One batch for all items requires the same values in all fields except 'URLs'. Set 'Input Items' to one batch per item, or remove the expressions from the other fields`,
		);
	}
	const urls = new Map<string, string>();
	for (const url of bodies.flatMap((body) => body.urls)) {
		const address = canonical(url);
		if (!urls.has(address)) urls.set(address, url);
	}
	return { ...bodies[0], urls: [...urls.values()] };
}
