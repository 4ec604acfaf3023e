import {
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeApiError,
} from 'n8n-workflow';
import type { ErrorSource } from '../api/errors';
import { isForMcpServer } from '../host/tool';
import { limitToolResult } from '../output/limitToolResult';
import { cleanedText } from '../text/cleaned';
import { fencedText, newMark } from '../text/fence';
import { Removed } from '../text/removed';
import { forModel, type ModelError } from './forModel';

/** Longest result of a tool in characters; about 10,000 tokens. */
const longestResult = 40_000;

/** Results and failures of a call of a tool. */
interface ToolOutcome {
	results?: INodeExecutionData[];
	failures: Array<NodeApiError | NodeOperationError>;
	/** Notices, which may quote the service. */
	notices?: string[];
	/** Notes of the node itself. */
	ownNotes?: string[];
	/** The model's question. */
	question?: string;
	/** Names of the texts that are HTML. */
	htmlTexts?: ReadonlySet<string>;
}

/** The only text that a client of an MCP server gets of a failed call. */
async function messageForMcp(
	failures: ModelError[],
	{ notices = [], ownNotes = [] }: ToolOutcome,
): Promise<string> {
	const own = failures.flatMap(({ error, advice }) => [`${error}.`, advice]);
	const quotes = [...notices, ...failures.flatMap((failure) => failure.quotes)];
	const isApart = quotes.length > 0;
	const text = [...own, ...ownNotes].filter(Boolean).join(' ');
	if (!isApart) return text;
	const cleaned = await cleanedText(quotes.join('\n'), new Removed());
	return `${text}\n\n${fencedText(cleaned, newMark())}`;
}

/**
 * The items of a tool: its results and its errors with advice, within the limits of a model. n8n
 * hides errors from models, which see only the JSON.
 * @throws NodeOperationError for a client of an MCP server if there are errors only
 */
export async function toolResult(
	context: IExecuteFunctions,
	outcome: ToolOutcome,
	{ node, fields }: Pick<ErrorSource, 'node' | 'fields'>,
): Promise<INodeExecutionData[]> {
	const { results = [], notices = [], ownNotes = [], question } = outcome;
	const { htmlTexts = new Set<string>() } = outcome;
	const failures = outcome.failures.map((error) => forModel(error, node.parameters, fields, true));
	if (failures.length > 0 && results.length === 0 && isForMcpServer(context)) {
		throw new NodeOperationError(node, await messageForMcp(failures, outcome));
	}
	return await limitToolResult(results, notices, {
		max: longestResult,
		question,
		ownNotes,
		errors: failures.map(({ error, advice }) => ({ error, advice })),
		quotes: failures.flatMap(({ quotes }) => quotes),
		fence: { mark: newMark(), htmlTexts },
	});
}
