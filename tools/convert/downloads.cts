import { accessesIn } from './accesses.cjs';
import { chunksOf, isExpression, parseExpression } from './expressions.cjs';
import { isHttpRequest } from './httpRequest.cjs';
import { objectOf, omit, textOf, type Json } from './json.cjs';
import {
	onlySuccessorOf,
	successorsOf,
	withoutSuccessor,
	type Workflow,
	type WorkflowNode,
} from './workflow.cjs';

/** A workflow without the download of a screenshot, whose file the page's node returns by itself. */
interface WithoutDownload {
	workflow: Workflow;
	/** The name of the node that fell away. */
	download: string;
}

/** The name that this pack gives the file of a screenshot, by the place of its link in an item. */
const fileNames = new Map([
	['screenshot', 'screenshot'],
	['data.screenshot', 'data_screenshot'],
]);

/** The parameters by which n8n's nodes name the file that they take. */
const takesFile = [
	'binaryProperty',
	'binaryPropertyName',
	'dataPropertyName',
	'inputDataFieldName',
];

/** The place in the item of `source` of which a text is the expression, such as `data.screenshot`. */
function placeIn(text: Json | undefined, source: string): string | undefined {
	if (!isExpression(text)) return undefined;
	const [chunk, ...others] = chunksOf(text);
	const parsed = others.length === 0 && chunk?.isCode ? parseExpression(chunk.text) : undefined;
	const { known, unclear } = parsed ? accessesIn(parsed, false) : { known: [], unclear: [] };
	if (!chunk || known.length !== 1 || unclear.length > 0) return undefined;
	const [{ start, end, steps, source: named = source }] = known;
	const isAll = chunk.text.slice(start, end) === chunk.text.trim();
	return isAll && named === source ? steps.join('.') : undefined;
}

/** The name under which a node returns what it downloads, if it does nothing else. */
function downloadedAs(node: WorkflowNode): string | undefined {
	const { method = 'GET', options, ...rest } = omit(node.parameters, 'url');
	const { response, ...otherOptions } = objectOf(options);
	const {
		responseFormat,
		outputPropertyName = 'data',
		...others
	} = objectOf(objectOf(response).response);
	const isPlain =
		isHttpRequest(node) &&
		(node.typeVersion ?? 1) >= 3 &&
		node.disabled !== true &&
		node.onError === undefined &&
		method === 'GET' &&
		[rest, otherOptions, others].every((more) => Object.keys(more).length === 0);
	return isPlain && responseFormat === 'file' ? textOf(outputPropertyName) : undefined;
}

/** A node that takes the file under its new name; undefined if it does not name the former one. */
function renamed(node: WorkflowNode, from: string, to: string): WorkflowNode | undefined {
	const names = takesFile.filter((parameter) => node.parameters[parameter] === from);
	const parameters = Object.fromEntries(names.map((parameter) => [parameter, to]));
	return names.length === 0
		? undefined
		: { ...node, parameters: { ...node.parameters, ...parameters } };
}

/**
 * Leaves out the HTTP Request node that downloads the screenshot of the converted page node `name`, if every node
 * behind it names the file that it takes, and nothing else names the download or a file: its item holds nothing
 * besides. n8n stores no names that are the default, so of those it is unknown whether they take the file.
 */
export function withoutDownload(workflow: Workflow, name: string): WithoutDownload | undefined {
	const node = onlySuccessorOf(workflow, name);
	if (!node) return undefined;
	const to = fileNames.get(placeIn(node.parameters.url, name) ?? '');
	const from = downloadedAs(node);
	if (to === undefined || from === undefined) return undefined;

	const takers = successorsOf(workflow, node.name);
	const rest = withoutSuccessor(workflow, name, node.name);
	const nodes = rest.nodes.map((each) => {
		const text = JSON.stringify(each.parameters);
		const taking = renamed(each, from, to);
		const isTaker = takers.includes(each.name);
		const isRead = text.includes(node.name) || text.includes('$binary');
		if (isRead || (isTaker ? text.includes('$json') : taking !== undefined)) return undefined;
		return isTaker ? taking : each;
	});
	if (nodes.includes(undefined)) return undefined;
	return {
		workflow: { ...rest, nodes: nodes.flatMap((each) => each ?? []) },
		download: node.name,
	};
}
