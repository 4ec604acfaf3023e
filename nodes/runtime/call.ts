import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { withFiles } from './files';
import { toItems } from './items';
import type { Call, Result } from './operation';
import type { RetryPolicy } from './retry';
import { send, type Line } from './send';
import type { Settings } from './settings';

/** How hard the user wants a request to be tried. */
export const policyOf = (settings: Settings): RetryPolicy => ({
	maxTries: settings.maxTries,
	backOffCap: settings.maxBackOff * 1000,
	budget: settings.maxRetryTime * 1000,
	repeatUncertain: settings.repeatUncertain,
});

/** What an operation needs of one line to the service. */
export const callOn = (line: Line, notices: Set<string>): Call => ({
	place: line.place,
	send: async (request) => await send(request, line),
	notice: (text) => notices.add(text),
});

/** The last step of every operation: files fetched, results trimmed, items linked to their input item. */
export async function complete(
	results: Result[],
	settings: Settings,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
	line: Line,
	notices: Set<string>,
): Promise<INodeExecutionData[]> {
	const whole: Result[] = [];
	for (const result of results) {
		whole.push(settings.downloadFiles ? await withFiles(result, helpers, line) : result);
	}
	if (whole.some(({ json }) => json.fileErrors !== undefined)) {
		notices.add(`Some files could not be downloaded. The items' 'fileErrors' say which and why.`);
	}
	return toItems(whole, settings, line.place.itemIndex);
}
