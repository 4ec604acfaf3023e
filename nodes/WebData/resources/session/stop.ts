import type { IDataObject } from 'n8n-workflow';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { label, without } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { sendToSession } from './ended';
import { scrapeId, stopInteraction } from './fields';
import { fact, forCaller } from '../../../runtime/api/sentence';

/** DELETE /scrape/{jobId}/interact (https://docs.firecrawl.dev/api-reference/endpoint/scrape-browser-delete). */
export const stop = operation({
	name: 'Stop',
	value: 'stop',
	action: 'Stop interacting with a scraped page',
	description:
		'Closes the browser session of a scraped page, which stops the charge per minute. Saves its profile, if any, and returns its duration and credits.',
	costs: 'free',
	request: form({ jobId: scrapeId }),
	settings: settingsFields(),
	async run({ jobId }, context) {
		const response = await sendToSession(
			{ endpoint: stopInteraction, ids: { id: jobId } },
			[
				fact('There is no session to close, and no more minutes are charged.'),
				forCaller('If this is unexpected, check the ID.'),
			],
			context,
		);
		const about = without(response.body as IDataObject, 'success');
		return [{ json: label(about, { jobId, stopped: true }) }];
	},
});
