/**
 * Writes `exchanges.json` from the full recordings of a real server: one exchange per line.
 *
 *     node test/mock/recorded/shorten.mjs recorded.json recorded-2.json
 *
 * Requests and refusals stay whole, forms as the text that was sent. In other responses and webhook bodies, texts over 60 characters are cut
 * (`…`): of them the replay compares keys and types only. Of webhooks the parsed bodies are kept. Times since the start, notes on
 * the environment and content types are left out; whether an answer was JSON shows in its body: an
 * object, or the text of a page.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const longest = 60;

function shortened(value) {
	if (typeof value === 'string') {
		return value.length > longest ? `${value.slice(0, longest)}…` : value;
	}
	if (Array.isArray(value)) return value.map(shortened);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
}

/** A form's text, with the boundary that its header names. */
function formText({ multipart }, boundary) {
	const parts = multipart.map(({ name, filename, contentType, content = '', contentBase64 }) => {
		const file = filename === undefined ? '' : `; filename="${filename}"`;
		const type = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`;
		const text = contentBase64 === undefined ? content : atob(contentBase64);
		return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${type}\r\n\r\n${text}\r\n`;
	});
	return `${parts.join('')}--${boundary}--\r\n`;
}

const sent = ({ body, ...request }) => ({
	...request,
	...(body !== undefined && {
		body: body?.multipart
			? formText(body, request.headers['content-type'].split('boundary=')[1])
			: body,
	}),
});

const step = ({ note, request, response: { status, body } }) => ({
	...(note && { note }),
	request: sent(request),
	response: { status, body: status < 400 ? shortened(body) : body },
});

const exchange = ({ name, group, request, response, steps, webhooksReceived, webhooks }) => ({
	name,
	group,
	steps: steps ? steps.map(step) : [step({ request, response })],
	...(webhooksReceived && { webhooksReceived }),
	...(webhooks && { webhooks: webhooks.map(({ body }) => shortened(JSON.parse(body))) }),
});

const sources = process.argv.slice(2);
const exchanges = sources.flatMap((source) => JSON.parse(readFileSync(source, 'utf8')).exchanges);
const lines = exchanges.map((each) => JSON.stringify(exchange(each)));
const target = new URL('exchanges.json', import.meta.url);
writeFileSync(target, `[\n${lines.join(',\n')}\n]\n`);
