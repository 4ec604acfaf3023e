import type { z } from 'zod/v3';
import type { Request } from '../../../runtime/http/client';
import { boolean, field, integer, oneOf, required, string } from '../../../runtime/form/field';
import { activityOf } from '../../../runtime/http/jobLookup';
import { canonicalJson } from '../../../runtime/jobs/requestKey';
import { canonicalUrl } from '../../../runtime/values/parseUrl';
import { fieldOf } from '../../../runtime/values/record';
import { price, type Price } from '../../../runtime/limits/price';
import { prices, scannedPrice } from '../../fields/prices';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import { auditMetadata } from '../../fields/auditMetadata';
import { callerMembers } from '../../fields/caller';
import { exchange } from '../../fields/exchange';
import { jsonSchemaMembers, withSchema } from '../../fields/jsonSchema';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { threatProtection } from '../../fields/threatProtection';
import { urls } from '../../fields/url';
import { id } from '../../fields/uuid';
import { webhook } from '../../fields/webhook';
import { listAgentRuns, startAgentRun } from './job';

/** Where the service stops a run that was given no limit, in credits. */
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
	exchange,
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
		...jsonSchemaMembers({
			use: 'agent',
			whenPrompted: 'With the initial example, the agent chooses the structure',
		}),
		...additionalFields({ ...additional, requestJson }),
		...callerMembers,
	},
	({ exchange: paid, threadId, mode, strictConstrainToURLs, urls: addresses }, refuse) => {
		if (paid?.approve && threadId === undefined)
			refuse(`requires 'Thread ID'`, 'exchange', 'approve');
		if (paid?.decline && threadId === undefined)
			refuse(`requires 'Thread ID'`, 'exchange', 'decline');
		if (paid?.requireApproval && mode !== 'chat') {
			refuse(`requires the mode Chat`, 'exchange', 'requireApproval');
		}
		if (strictConstrainToURLs && !addresses?.length && threadId === undefined) {
			refuse(`requires 'URLs'`, 'strictConstrainToURLs');
		}
	},
);

/** What an agent run is asked: the body of POST /agent (https://docs.firecrawl.dev/features/agent). */
export const agentRequest = mapSchema(request, (schema) => withSchema(withRequestJson(schema)));

const agentLists = [{ endpoint: listAgentRuns, entries: 'agents' }, activityOf('agent')];

/** What a run can cost: 5 a day are free, failed ones too. Its addresses are scanned before it begins. */
function agentPrice({
	maxCredits,
	urls: addresses = [],
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
	return scannedPrice(run, protection, addresses.length);
}

/** Whether the options that the service lists of a run show that it was asked something else. What it leaves out shows nothing. */
function isOfAnother(
	{ prompt: asked, schema, effort, urls: given = [] }: z.output<typeof request.schema>,
	options: unknown,
): boolean {
	const differs = (name: string, own: unknown) => {
		const listed = fieldOf(options, name);
		return (
			listed !== undefined && own !== undefined && canonicalJson(listed) !== canonicalJson(own)
		);
	};
	const listed = fieldOf(options, 'urls');
	const own = new Set(given.map(canonicalUrl));
	const isElsewhere =
		own.size > 0 &&
		Array.isArray(listed) &&
		!listed.every((address) => own.has(canonicalUrl(String(address))));
	return (
		isElsewhere ||
		differs('prompt', asked) ||
		differs('schema', schema) ||
		differs('effort', effort)
	);
}

/** POST /agent. */
export const agentStart = (body: z.output<typeof request.schema>): Request => ({
	endpoint: startAgentRun,
	body,
	jobLookup: {
		lists: agentLists,
		matchBy: [body.prompt],
		excludes: (told) => isOfAnother(body, fieldOf(told, 'options')),
		showsOrigin: true,
	},
	price: agentPrice(body),
});
