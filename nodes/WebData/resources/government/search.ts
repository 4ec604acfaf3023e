import { requireArray } from '../../../runtime/http/paging';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { missingInResponse } from '../../../runtime/api/errors';
import { form } from '../../../runtime/form/form';
import { readOnlyOperation } from '../../../runtime/operation/operation';
import { isRecord } from '../../../runtime/values/record';
import { asRecord, splitData } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { numberOfResults } from '../../fields/limit';
import { outputField } from '../../../runtime/form/resultSettings';
import { query } from '../../fields/query';
import { costOf, resultsPrice } from '../../fields/prices';

const searchGovernmentSources: Endpoint = {
	method: 'POST',
	path: '/search/gov',
	bucket: 'developer',
	retrySafety: 'mayChargeTwice',
	since: 'hosted',
	instead: `Use 'Query' of the search with 'Include Domains', such as govinfo.gov.`,
};

/** POST /search/gov (docs/api-notes.md, Government index). */
export const search = readOnlyOperation({
	name: 'Search',
	value: 'search',
	action: 'Search US laws and regulations',
	description: `Searches statutes, regulations, court opinions and other publications of US governments. Returns title, URL and matching passage of each, which can be outdated or a bill. Currently free, at most ${costOf('tenResults')} per 10 results.`,
	costs: `currently free, at most ${costOf('tenResults')} per 10 results`,
	request: form({
		query: query({
			placeholder: 'e.g. food labeling requirements for allergens',
			description: 'Question or topic; best with jurisdiction, agency or citation, and date',
		}),
		k: numberOfResults('Number of results to return, 1 to 100'),
	}),
	settings: [outputField, ...settingsFields({ responds: true })],
	async run(body, context) {
		const { output } = context.settings;
		const response = await context.send({
			endpoint: searchGovernmentSources,
			body,
			price: resultsPrice(body.k ?? 10),
		});
		const payload = asRecord(response.body);
		if (output === 'response' && isRecord(response.body)) return [{ json: payload }];
		const { data } = payload;
		if (!isRecord(data)) throw missingInResponse('results', context.errorSource);
		// Without results there may be no list.
		if (data.web !== undefined) requireArray(data.web, context.errorSource);
		return await splitData(payload);
	},
});
