import { convert } from '../../../tools/convert/convert.cjs';
import type { JsonObject } from '../../../tools/convert/json.cjs';
import { host, other, workflowOf } from './build.cjs';

const url = 'https://tidewatch.example/';
const json = JSON.stringify({ url, formats: ['html'] });
const pairs = [
	{ name: 'url', value: url },
	{ name: 'formats', value: '={{ ["html"] }}' },
];
const predefined = {
	authentication: 'predefinedCredentialType',
	nodeCredentialType: 'firecrawlApi',
};
const generic = { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' };
const post = { method: 'POST', sendBody: true };

describe('An HTTP Request node of version', () => {
	it.each<[version: number, form: string, parameters: JsonObject]>([
		[1, 'JSON', { requestMethod: 'POST', jsonParameters: true, bodyParametersJson: json }],
		[
			1,
			'key and value',
			{
				requestMethod: 'POST',
				authentication: 'headerAuth',
				bodyParametersUi: { parameter: pairs },
			},
		],
		[2, 'JSON', { requestMethod: 'POST', jsonParameters: true, bodyParametersJson: json }],
		[
			2,
			'key and value',
			{ requestMethod: 'POST', ...predefined, bodyParametersUi: { parameter: pairs } },
		],
		[3, 'key and value', { ...post, ...generic, bodyParameters: { parameters: pairs } }],
		[3, 'JSON', { ...post, ...predefined, specifyBody: 'json', jsonBody: json }],
		[4, 'text', { ...post, contentType: 'raw', rawContentType: 'application/json', body: json }],
		[4.1, 'an expression', { ...post, specifyBody: 'json', jsonBody: `={{ ${json} }}` }],
		[4.2, 'a template', { ...post, ...generic, specifyBody: 'json', jsonBody: `=${json}` }],
		[4.3, 'key and value', { ...post, ...predefined, bodyParameters: { parameters: pairs } }],
	])('%d converts, its body as %s', (version, _form, parameters) => {
		const node = other(
			'Page',
			'n8n-nodes-base.httpRequest',
			{ url: `${host}/v2/scrape`, ...parameters },
			version,
		);
		const { workflow, report } = convert(workflowOf([node]));

		expect(report.rows).toMatchObject([{ state: 'whole', after: 'Page: Scrape' }]);
		expect(workflow.nodes[1].parameters).toMatchObject({
			resource: 'page',
			operation: 'scrape',
			url,
		});
		expect(JSON.stringify(workflow.nodes[1].parameters.formats)).toContain('html');
	});
});
