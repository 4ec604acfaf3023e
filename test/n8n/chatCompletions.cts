import fastify, { type FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A tool as a model is told of it. */
const toolShape = z.object({
	type: z.literal('function'),
	function: z.object({
		name: z.string(),
		description: z.string(),
		parameters: z
			.object({
				properties: z.record(z.object({ description: z.string().optional() }).passthrough()),
				required: z.array(z.string()).optional(),
			})
			.passthrough(),
	}),
});

const messageShape = z
	.object({ role: z.string(), content: z.unknown(), tool_call_id: z.string().optional() })
	.passthrough();

const requestShape = z.object({
	model: z.string(),
	messages: z.array(messageShape),
	tools: z.array(toolShape).default([]),
	stream: z.boolean().default(false),
});

export type ChatRequest = z.output<typeof requestShape>;

/** A model: what it replies to a request, as OpenAI's protocol has it. */
export interface ChatModel {
	readonly name: string;
	respond(request: ChatRequest): { message: object; finish_reason: string };
}

/** A call that the model makes: the tool's name and its arguments, in whatever form. */
export interface ToolCall {
	tool: string;
	arguments: Record<string, unknown>;
}

/** A model of its own: it makes its calls one after the other, and then says that it is done. */
export class ScriptedModel implements ChatModel {
	/** Every request that it got. */
	readonly requests: ChatRequest[] = [];

	constructor(
		readonly name: string,
		private readonly calls: ToolCall[],
	) {}

	/** What it was told of its tools. */
	get tools() {
		return this.requests[0].tools.map((tool) => tool.function);
	}

	/** What came back to it from its calls, in their order. */
	get results(): string[] {
		const { messages } = this.requests[this.requests.length - 1];
		return messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
	}

	/** Its reply to a request: the next call, or its last words. */
	respond(request: ChatRequest) {
		this.requests.push(request);
		const made = request.messages.filter(({ role }) => role === 'tool').length;
		if (made >= this.calls.length) {
			return { message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' };
		}
		const { tool, arguments: given } = this.calls[made];
		const call = { name: tool, arguments: JSON.stringify(given) };
		const tool_calls = [{ index: 0, id: `call_${made}`, type: 'function', function: call }];
		return {
			message: { role: 'assistant', content: null, tool_calls },
			finish_reason: 'tool_calls',
		};
	}
}

const embeddingShape = z.object({
	input: z.union([z.string().transform((text) => [text]), z.array(z.string())]),
	encoding_format: z.enum(['float', 'base64']).default('float'),
});

/** How many numbers an embedding has. */
const dimensions = 64;

/** A text as numbers that are alike for texts with the same words. */
function embedded(text: string): number[] {
	const numbers = new Array<number>(dimensions).fill(0);
	for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
		const place = [...word].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 9973, 7);
		numbers[place % dimensions] += 1;
	}
	return numbers;
}

/** A loopback server that speaks OpenAI's protocol for models of these tests, and for embeddings. */
export class ChatCompletions {
	private readonly models = new Map<string, ChatModel>();

	private constructor(private readonly app: FastifyInstance) {}

	static async open(): Promise<ChatCompletions> {
		const app = fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true });
		const server = new ChatCompletions(app);
		app.post('/v1/chat/completions', async (request, reply) => {
			const asked = requestShape.parse(request.body);
			const model = server.models.get(asked.model);
			if (!model) return await reply.code(404).send({ error: { message: 'No such model' } });
			const { message, finish_reason } = model.respond(asked);
			const about = { id: `chat-${request.id}`, created: 0, model: model.name };
			if (!asked.stream) {
				const choices = [{ index: 0, message, finish_reason }];
				const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
				return { ...about, object: 'chat.completion', choices, usage };
			}
			const chunks = [
				{ delta: message, finish_reason: null },
				{ delta: {}, finish_reason },
			].map((choice) =>
				JSON.stringify({
					...about,
					object: 'chat.completion.chunk',
					choices: [{ index: 0, ...choice }],
				}),
			);
			const events = [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`);
			return await reply.type('text/event-stream').send(events.join(''));
		});
		app.post('/v1/embeddings', async (request) => {
			const { input, encoding_format } = embeddingShape.parse(request.body);
			const data = input.map(embedded).map((numbers, index) => ({
				object: 'embedding',
				index,
				embedding:
					encoding_format === 'float'
						? numbers
						: Buffer.from(Float32Array.from(numbers).buffer).toString('base64'),
			}));
			const usage = { prompt_tokens: 1, total_tokens: 1 };
			return await Promise.resolve({ object: 'list', model: 'embeddings', data, usage });
		});
		await app.listen({ host: '127.0.0.1', port: 0 });
		return server;
	}

	/** The base URL for n8n's OpenAI credential. */
	get url(): string {
		const { port } = this.app.server.address() as AddressInfo;
		return `http://127.0.0.1:${port}/v1`;
	}

	/** A new model that makes these calls. */
	model(calls: ToolCall[]): ScriptedModel {
		const model = new ScriptedModel(`model-${this.models.size + 1}`, calls);
		this.add(model);
		return model;
	}

	/** Has a model reply to the requests for its name. */
	add(model: ChatModel): void {
		this.models.set(model.name, model);
	}

	async close(): Promise<void> {
		await this.app.close();
	}
}
