/**
 * Escapes HTML tags: n8n renders hints, descriptions of errors and notifications as HTML, and many
 * of ours quote the service.
 */
export const withoutMarkup = (text: string): string => text.replace(/<(?=[a-z/!?])/gi, '‹');
