import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { withoutItemMark, type NodeError } from '../errors/message';
import { isForMcpServer } from '../host/tool';
import { limitToolResult } from '../output/limitToolResult';
import { cleanedText, fencedText, newMark } from '../output/untrusted';

/** Longest result of a tool in characters; about 10,000 tokens. */
const longestResult = 40_000;

/** Results and failures of a call of a tool. */
interface ToolOutcome {
	results?: INodeExecutionData[];
	/** Errors of requests: their messages may quote the service. */
	failures?: NodeError[];
	/** Errors of the node alone, before any request. */
	rejected?: NodeError[];
	/** Notices, which may quote the service. */
	notices?: string[];
	/** Notes of the node itself. */
	ownNotes?: string[];
	/** The model's question. */
	question?: string;
}

const messageOf = (error: NodeError) => withoutItemMark(error.message);

/** An error for a model. A message that may quote the service is apart, between delimiters. */
const forModel = (error: NodeError, message = messageOf(error)) => ({
	error: message,
	advice: error.description ?? 'Check the node and its credential.',
});

/**
 * The items of a tool: its results and its errors with advice, within the limits of a model. n8n
 * hides errors from models, which see only the JSON.
 * @throws NodeOperationError for a client of an MCP server, which gets its message alone, if there
 * are errors only
 */
export async function toolResult(
	context: IExecuteFunctions,
	outcome: ToolOutcome,
): Promise<INodeExecutionData[]> {
	const { results = [], notices = [], ownNotes = [], question } = outcome;
	const { failures = [], rejected = [] } = outcome;
	const errors = [
		...rejected.map((error) => forModel(error)),
		...failures.map((error) => forModel(error, 'The request failed')),
	];
	const quotes = failures.map(messageOf);
	if (errors.length > 0 && results.length === 0 && isForMcpServer(context)) {
		const own = errors.flatMap(({ error, advice }) => [`${error}.`, advice]);
		const cleaned = cleanedText([...notices, ...quotes].join('\n'));
		const fenced = cleaned === '' ? '' : `\n\n${fencedText(cleaned, newMark())}`;
		throw new NodeOperationError(context.getNode(), [...own, ...ownNotes].join(' ') + fenced);
	}
	return await limitToolResult(results, notices, {
		max: longestResult,
		question,
		ownNotes,
		errors,
		quotes,
		fence: newMark(),
	});
}
