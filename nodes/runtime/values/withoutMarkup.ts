/**
 * Text without tags: n8n's editor renders hints, the descriptions of errors and notifications as HTML,
 * with links and pictures, and much of ours quotes the service.
 */
export const withoutMarkup = (text: string): string => text.replace(/<(?=[a-z/!?])/gi, '‹');
