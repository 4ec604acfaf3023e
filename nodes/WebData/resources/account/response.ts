import type { IDataObject } from 'n8n-workflow';
import { missingInResponse } from '../../../runtime/api/errors';
import { getTeamCredits } from '../../../runtime/api/teamEndpoints';
import type { Sender } from '../../../runtime/http/paging';
import { asRecord, without } from '../../../runtime/output/results';

const camelCase = (name: string) =>
	name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Converts a record's names to camel case: some servers return `remaining_credits`. */
export const camelCased = (record: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [camelCase(name), value]));

/**
 * Fetches the team's remaining credits, the plan's credits and the billing period
 * (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage).
 * @throws NodeOperationError if the response has none
 */
export async function teamCredits({ send, errorSource }: Sender): Promise<IDataObject> {
	const body = asRecord((await send({ endpoint: getTeamCredits })).body);
	// Some servers omit the wrapper.
	const usage = asRecord(body.data ?? without(body, 'success'));
	if (Object.keys(usage).length === 0) throw missingInResponse('the credits', errorSource);
	return camelCased(usage);
}
