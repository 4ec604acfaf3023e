import type { IDataObject } from 'n8n-workflow';
import { limitToolResult } from '../../../../nodes/runtime/output/limitToolResult';
import { newMark } from '../../../../nodes/runtime/text/fence';
import { documentFormat } from '../../../../nodes/WebData/documents/documentFormat';
import { toldIn } from '../../../engine/fence.cjs';
import { honestHtml, honestTexts } from './honestTexts.cjs';

const { htmlTexts } = documentFormat;

/** What a model is told of a result. */
const told = async (result: IDataObject) => {
	const fence = { mark: newMark(), htmlTexts };
	const items = await limitToolResult([{ json: result }], [], { max: 100_000, fence });
	return toldIn(items.map(({ json }) => json));
};

it('has at least 53 texts', () => {
	expect(honestTexts.length + honestHtml.length).toBeGreaterThanOrEqual(53);
	expect(new Set([...honestTexts, ...honestHtml].map(([, text]) => text)).size).toBe(
		honestTexts.length + honestHtml.length,
	);
});

describe('A text that seems to have hidden content', () => {
	it.each(honestTexts)('stays whole in any field: %s', async (_name, text) => {
		const result = {
			title: text,
			description: text,
			markdown: text,
			summary: text,
			json: { answer: text, list: [text, { note: text }] },
			links: [text],
		};
		expect(await told(result)).toEqual({ before: [], inside: [result] });
	});

	it.each(honestHtml)('stays whole in HTML: %s', async (_name, text) => {
		const result = { url: 'https://a.example', html: text, rawHtml: text };
		expect(await told(result)).toEqual({ before: [], inside: [result] });
	});
});
