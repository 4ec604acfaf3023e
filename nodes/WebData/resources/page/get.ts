import type { IDataObject } from 'n8n-workflow';
import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import { documentResult } from '../../documents/document';
import { jobIdContract, jobIdField, readJobId } from '../../fields/jobId';

/** GET /scrape/{jobId} (addendum 4). */
export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get a scraped page',
	description:
		'Returns the result of an earlier scrape by its ID, without visiting the page again. Free.',
	fields: [
		jobIdField(
			'ID of the scrape, as its metadata.scrapeId names it; kept for 24 hours',
			'Scrape ID',
		),
		...settingsFields({ documents: true }),
	],
	costs: 'free',
	contract: jobIdContract,
	read: readJobId,
	async run({ jobId }, _values, call) {
		const path = `/scrape/${encodeURIComponent(jobId)}`;
		const answer = await call.send({ method: 'GET', path, cost: 'read' });
		return [documentResult(answer.body as IDataObject, call)];
	},
});
