import type { z } from 'zod/v3';
import { boolean, hidden, integer } from '../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../runtime/form/form';
import { settingsFields, type Settings } from '../../runtime/form/settings';
import { ValidationFailure } from '../../runtime/form/schema';
import { operation, type Job, type Resource } from '../../runtime/execution/operation';
import { batchKind, batchStart, blameItem } from '../documents/batch';
import { canonical } from '../documents/document';
import { withPageText } from '../documents/judged';
import { documentJob, jobOperations, runSettings } from '../documents/documentJob';
import { actions } from '../fields/actions';
import { formats } from '../fields/formats';
import { exampleId, id } from '../fields/common';
import { costOf } from '../fields/prices';
import { requestJson, withRequestJson } from '../fields/requestJson';
import { scrapeOptionGroup, scrapeOptionRules } from '../fields/scrapeOptions';
import { uncheckedUrls, url, urlsField } from '../fields/url';
import { documentWebhook } from '../fields/webhook';

/**
 * The service's maximum size of JSON is 10 MB
 * (https://docs.firecrawl.dev/api-reference/introduction).
 */
const largestRequest = 10_000_000;

const isTooLarge = ({ urls }: { urls: string[] }) => JSON.stringify(urls).length > largestRequest;
const tooLarge = 'must be at most 10 MB in one batch; split the input into several';

const request = form(
	{
		urls: urlsField('URLs to scrape, separated by commas or new lines', uncheckedUrls({ min: 1 })),
		formats,
		...additionalFields({
			...scrapeOptionGroup,
			actions: hidden(actions.valueSchema),
			appendToId: id({
				displayName: 'Append to ID',
				placeholder: exampleId,
				description: 'ID of a batch that is still running, to add the URLs to',
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
		}),
	},
	(body, reject) => {
		scrapeOptionRules(body, reject);
		if (isTooLarge(body)) reject(tooLarge, 'urls');
		if (body.ignoreInvalidURLs) return;
		for (const [index, each] of body.urls.entries()) {
			const [issue] = url().safeParse(each).error?.issues ?? [];
			if (issue) reject(issue.message, 'urls', index);
		}
	},
);

/** The parameters of a batch. */
export type BatchRequest = z.output<typeof request.schema>;

/** The body of POST /batch/scrape. */
export const batchRequest = mapSchema(request, (schema) =>
	withRequestJson(schema, ['scrapeOptions']),
);

/** Merges the batches of all items into one: each URL once, and all other fields and options equal. */
export function mergeBatches(
	bodies: BatchRequest[],
	settings: Settings[] = [],
): BatchRequest | ValidationFailure {
	const rests = new Set(
		bodies.map((body, index) => JSON.stringify({ ...body, urls: [], options: settings[index] })),
	);
	if (rests.size > 1) {
		return new ValidationFailure(
			`One batch for all items requires the same values in all fields except 'URLs'. Remove the expressions from the other fields, or run the node once for each item, in a loop`,
		);
	}
	const urls = new Map<string, string>();
	for (const url of bodies.flatMap((body) => body.urls)) {
		const key = canonical(url);
		if (!urls.has(key)) urls.set(key, url);
	}
	const merged = { ...bodies[0], urls: [...urls.values()] };
	return isTooLarge(merged) ? new ValidationFailure(`'URLs' of all items ${tooLarge}`) : merged;
}

const batchJob = documentJob(batchKind);

/** The batch of a request. One to which it appends may be another execution's. */
const jobOf = ({ appendToId }: BatchRequest): Job => ({
	...batchJob,
	isLeftAlone: appendToId !== undefined,
});

/** POST /batch/scrape, then its documents (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Scrape list of URLs',
	description: `Scrapes a list of URLs and returns one item per page. ${costOf('page')} per page, more for some formats. Takes seconds to minutes.`,
	request: batchRequest,
	settings: runSettings,
	costs: 'as Scrape, per page',
	mergeBodies: mergeBatches,
	blame: blameItem,
	run: async (body, context) =>
		await context.runJob(jobOf(body), batchStart(withPageText(body, context.settings.output))),
	job: batchJob,
});

/** POST /batch/scrape (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
const start = operation({
	name: 'Start',
	value: 'start',
	action: 'Start batch',
	description: `Starts to scrape a list of URLs and returns its job ID, by which pages can be fetched later. ${costOf('page')} per page, more for some formats.`,
	request: batchRequest,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime'),
	costs: 'as Run',
	mergeBodies: mergeBatches,
	blame: blameItem,
	run: async (body, context) => await context.startJob(jobOf(body), batchStart(body)),
});

export const batch: Resource = {
	name: 'Batch',
	value: 'batch',
	operations: [run, start, ...jobOperations(batchKind)],
};
