import MarkdownIt from 'markdown-it';

/** Text made safe for HTML content and quoted attributes. */
export const escapeHtml = new MarkdownIt().utils.escapeHtml;
