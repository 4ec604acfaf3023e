import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** Answers a call from outside, unless it has been answered; by itself, nothing starts or goes on. */
export function respond(context: IWebhookFunctions, status: number): IWebhookResponseData {
	const response = context.getResponseObject();
	if (!response.headersSent) response.status(status).end();
	return { noWebhookResponse: true };
}
