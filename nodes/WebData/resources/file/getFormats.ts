import { requireArray } from '../../../runtime/http/paging';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { fieldOf } from '../../../runtime/values/record';
import { asRecord } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';

const listFileFormats: Endpoint = {
	method: 'GET',
	path: '/parse/formats',
	bucket: 'other',
	since: 'October 2026',
	instead: `'Parse' returns an error for unsupported files.`,
};

/** GET /parse/formats (docs/api-notes.md, Documents and files). */
export const getFormats = operation({
	name: 'Get Formats',
	value: 'getFormats',
	action: 'Get supported file formats',
	description:
		'Returns the file formats that can be parsed, one item each: type, extensions, MIME types, and whether this server can parse them (available). Free.',
	costs: 'free',
	request: form({}),
	settings: settingsFields(),
	async run(_body, context) {
		const response = await context.send({ endpoint: listFileFormats });
		const formats = requireArray(
			fieldOf(fieldOf(response.body, 'data'), 'formats'),
			context.errorSource,
		);
		return formats.map((format) => ({ json: asRecord(format) }));
	},
});
