import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';
import { node } from '../../schemaAssertions.cjs';

/** An answer of the service: its status and its body. */
type Answer = [number, unknown];

/** The editor's context with a picked tool, whose requests get these answers in turn. */
export function editor(tool: unknown, ...answers: Answer[]) {
	const asked: IHttpRequestOptions[] = [];
	const context = {
		getNode: () => node,
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://api.example', apiKey: 'fc-secret-key' }),
		getCurrentNodeParameter: (name: string) => (name === 'tool' ? tool : undefined),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => {
				const { body: text } = options;
				asked.push(typeof text === 'string' ? { ...options, body: JSON.parse(text) } : options);
				const [statusCode, body] = answers[asked.length - 1];
				return await Promise.resolve({ statusCode, body, headers: {} });
			},
		},
	} as unknown as ILoadOptionsFunctions;
	return { asked, context };
}
