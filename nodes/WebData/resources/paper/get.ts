import type { IDataObject } from 'n8n-workflow';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { requirePaidField } from '../../../runtime/output/paidResponse';
import { asRecord, label, without } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { getPaper, paperId } from './fields';

/** GET /search/research/papers/{id} (https://docs.firecrawl.dev/features/research-index). */
export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get a paper',
	description: 'Returns title, abstract, authors and dates of a paper by its ID. Free.',
	costs: 'free',
	request: form({ id: paperId }),
	settings: settingsFields(),
	async run({ id }, context) {
		const response = await context.send({ endpoint: getPaper, ids: { id } });
		const record = asRecord(
			requirePaidField(response.body, 'paper', 'the paper', context.errorSource),
		);
		const request = without(response.body as IDataObject, 'paper', 'success');
		return [{ json: label(record, { request }) }];
	},
});
