import { answeredList } from '../../../runtime/answeredList';
import { form } from '../../../runtime/form';
import { operation } from '../../../runtime/operation';
import { memberOf } from '../../../runtime/record';
import { asRecord, noticesIn } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';

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
		const answer = await call.send({ method: 'GET', path: '/parse/formats', cost: 'read' });
		noticesIn(asRecord(answer.body)).forEach(call.notice);
		const formats = answeredList(memberOf(memberOf(answer.body, 'data'), 'formats'), call.place);
		return formats.map((format) => ({ json: asRecord(format) }));
	},
});
