import { requireArray } from '../../../runtime/http/paging';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { fieldOf } from '../../../runtime/values/record';
import { asRecord, noticesIn } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';

/** GET /parse/formats (docs/api-notes.md, Documents and files). */
export const getFormats = operation({
	name: 'Get Formats',
	value: 'getFormats',
	action: 'Get supported file formats',
	description:
		'Returns the formats of files that Parse knows, one item each: kind, extensions, MIME types, and whether this server can read them (available). Free.',
	costs: 'free',
	request: form({}),
	settings: settingsFields(),
	async run(_body, _values, call) {
		const response = await call.send({
			method: 'GET',
			path: '/parse/formats',
			retrySafety: 'safe',
		});
		noticesIn(asRecord(response.body)).forEach(call.notice);
		const formats = requireArray(
			fieldOf(fieldOf(response.body, 'data'), 'formats'),
			call.errorSource,
		);
		return formats.map((format) => ({ json: asRecord(format) }));
	},
});
