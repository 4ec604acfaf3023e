import type { IHttpRequestOptions } from 'n8n-workflow';
import type { HttpFunctions } from '../../../../nodes/runtime/http/client';

/** n8n's HTTP helpers, which note what they are asked for and give these answers, the last one for ever. */
export function helpers(...answers: Array<() => Promise<unknown>>) {
	const asked: Array<{ credential?: string; options: IHttpRequestOptions }> = [];
	const answer = async () => await answers[Math.min(asked.length, answers.length) - 1]();
	const context = {
		getCredentials: async () => await Promise.resolve({}),
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				asked.push({ options });
				return await answer();
			},
			httpRequestWithAuthentication: async (credential: string, options: IHttpRequestOptions) => {
				asked.push({ credential, options });
				return await answer();
			},
		},
	} as unknown as HttpFunctions;
	return { asked, context };
}

export const response =
	(statusCode: number, body: unknown, headers: Record<string, unknown> = {}) =>
	async () =>
		await Promise.resolve({ statusCode, headers, body });
