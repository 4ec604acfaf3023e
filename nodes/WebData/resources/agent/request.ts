import type { z } from 'zod/v3';
import type { Request } from '../../../runtime/http/client';
import { boolean, field, integer, oneOf, required, string } from '../../../runtime/form/field';
import { price, type Price } from '../../../runtime/limits/price';
import { prices, scannedPrice } from '../../fields/prices';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import { auditMetadata } from '../../fields/auditMetadata';
import { callerFields } from '../../fields/caller';
import { jsonSchemaFields, withSchema } from '../../fields/jsonSchema';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { threatProtection } from '../../fields/threatProtection';
import { urls } from '../../fields/url';
import { id } from '../../fields/ids';
import { webhook } from '../../fields/webhook';
import { listAgentRuns, startAgentRun } from './job';

/** The service's default limit of a run, in credits. */
const defaultMaxCredits = prices.agentLimit.credits;

const prompt = required(
	string({
		displayName: 'Prompt',
		rows: 4,
		max: 10_000,
		placeholder: 'e.g. Find the founders of these companies and the year of foundation',
		description: 'What to find, in natural language, up to 10,000 characters',
	}),
);

const additional = {
	auditMetadata,
	effort: oneOf({
		displayName: 'Effort',
		default: 'medium',
		options: [
			{ name: 'High', value: 'high' },
			{ name: 'Low', value: 'low' },
			{ name: 'Medium', value: 'medium' },
		],
		description: 'How thoroughly to search; higher effort costs more credits',
	}),
	maxCredits: integer({
		displayName: 'Max Credits',
		min: 1,
		default: 500,
		description: `Max number of credits for the run; ${defaultMaxCredits.toLocaleString('en')} by default`,
	}),
	mode: oneOf({
		displayName: 'Mode',
		default: 'extract',
		options: [
			{ name: 'Chat', value: 'chat', description: 'Responds in natural language, under message' },
			{ name: 'Extract', value: 'extract', description: 'Responds with structured data' },
		],
		description: 'Type of response',
	}),
	model: string({
		displayName: 'Model',
		placeholder: 'e.g. spark-2',
		description: 'Model to use; server default if empty',
	}),
	strictConstrainToURLs: boolean({
		displayName: 'Only These URLs',
		default: true,
		description: 'Whether to restrict the agent to the given URLs',
	}),
	threadId: id({
		displayName: 'Thread ID',
		description: 'Thread of an earlier run to continue; empty fields are taken from that run',
	}),
	threatProtection,
	urls: field(
		{
			displayName: 'URLs',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/team',
			description: 'Comma-separated start URLs; if empty, the agent searches the web',
		},
		urls(),
	),
	webhook: webhook([
		{ name: 'Action', value: 'action' },
		{ name: 'Cancelled', value: 'cancelled' },
		{ name: 'Completed', value: 'completed' },
		{ name: 'Failed', value: 'failed' },
		{ name: 'Started', value: 'started' },
	]),
};

const request = form(
	{
		prompt,
		...jsonSchemaFields({
			use: 'agent',
			ifEmpty: 'If empty, the agent chooses the structure',
		}),
		...additionalFields({ ...additional, requestJson }),
		...callerFields,
	},
	({ threadId, strictConstrainToURLs, urls }, reject) => {
		if (strictConstrainToURLs && !urls?.length && threadId === undefined) {
			reject(`requires 'URLs'`, 'strictConstrainToURLs');
		}
	},
);

/** The body of POST /agent (https://docs.firecrawl.dev/features/agent). */
export const agentRequest = mapSchema(request, (schema) => withSchema(withRequestJson(schema)));

/**
 * The maximum price of a run: 5 a day are free, including failed ones. Its URLs are scanned before
 * the start.
 */
function agentPrice({
	maxCredits,
	urls = [],
	threatProtection: protection,
}: z.output<typeof request.schema>): Price {
	const most =
		maxCredits === undefined
			? `The server stops the run at ${defaultMaxCredits} credits, because 'Max Credits' is not set`
			: `At most ${maxCredits} credits, limited by 'Max Credits'`;
	const run = price(
		0,
		maxCredits ?? defaultMaxCredits,
		`Depends on effort; 5 runs a day are free`,
		most,
	);
	return scannedPrice(run, protection, urls.length);
}

/** POST /agent. */
export const agentStart = (body: z.output<typeof request.schema>): Request => ({
	endpoint: startAgentRun,
	body,
	jobLookup: { list: listAgentRuns, entries: 'agents', target: body.prompt, showsOrigin: true },
	price: agentPrice(body),
});
