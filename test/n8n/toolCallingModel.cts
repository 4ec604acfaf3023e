import { z } from 'zod';
import type { ChatModel, ChatRequest } from './chatCompletions.cjs';

const text = z.union([
	z.string(),
	z
		.array(z.object({ text: z.string().default('') }))
		.transform((parts) => parts.map((part) => part.text).join('\n')),
]);

/** The last value that results, which are JSON in part, have for a property. */
function lastValue(results: readonly string[], property: string): string | undefined {
	const found = [...results.join('\n').matchAll(/"(\w+)":"([^"\\]+)"/g)];
	return found.filter(([, name]) => name === property).at(-1)?.[2];
}

/** Whether a tool takes a question, and not what another tool returns. */
const searches = (tool: ChatRequest['tools'][number]) =>
	'query' in tool.function.parameters.properties;

/** A model that calls each of its tools once for a message, those that search first, with what earlier ones returned or else the message, and replies with the results. */
export class ToolCallingModel implements ChatModel {
	constructor(readonly name: string) {}

	respond({ messages, tools }: ChatRequest) {
		const last = messages.map(({ role }) => role).lastIndexOf('user');
		const message = text.parse(messages[last]?.content);
		const results = messages
			.slice(last)
			.flatMap(({ role, content }) => (role === 'tool' ? [text.parse(content)] : []));
		const inOrder = [...tools.filter(searches), ...tools.filter((each) => !searches(each))];
		const tool = inOrder[results.length]?.function;
		if (!tool) {
			const content = ['The tools returned:', ...results.map((result) => result.slice(0, 500))];
			return {
				message: { role: 'assistant', content: content.join('\n\n') },
				finish_reason: 'stop',
			};
		}
		const filled = Object.keys(tool.parameters.properties).map((name): [string, string] => [
			name,
			lastValue(results, name) ?? message,
		]);
		const call = { name: tool.name, arguments: JSON.stringify(Object.fromEntries(filled)) };
		const id = `call_${results.length}`;
		return {
			message: {
				role: 'assistant',
				content: null,
				tool_calls: [{ index: 0, id, type: 'function', function: call }],
			},
			finish_reason: 'tool_calls',
		};
	}
}
