import type { Service } from './service.cjs';

/** A body with the fields that every family's errors share. */
export interface Body {
	success?: boolean;
	error?: string;
	code?: string;
	details?: Array<{ path: Array<string | number>; message: string }>;
}

export interface Answered<T> {
	status: number;
	headers: Headers;
	text: string;
	/** The JSON body; empty when there was none, or a page. */
	body: T & Body;
}

/** One request of a test. `key: null` sends no Authorization header. */
export async function request<T = object>(
	service: Service,
	method: string,
	path: string,
	body?: unknown,
	key: string | null = service.keys.full,
	headers: Record<string, string> = {},
): Promise<Answered<T>> {
	const response = await fetch(service.url + path, {
		method,
		headers: {
			...(key !== null && { authorization: `Bearer ${key}` }),
			...(body !== undefined && { 'content-type': 'application/json' }),
			...headers,
		},
		redirect: 'manual',
		...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json') === true;
	const parsed = JSON.parse(isJson ? text : '{}') as T & Body;
	return { status: response.status, headers: response.headers, text, body: parsed };
}
