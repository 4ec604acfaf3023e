import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** Responds to a webhook request, unless that was done before. Starts and resumes nothing by itself. */
export function respond(context: IWebhookFunctions, status: number): IWebhookResponseData {
	const response = context.getResponseObject();
	if (!response.headersSent) response.status(status).end();
	return { noWebhookResponse: true };
}
