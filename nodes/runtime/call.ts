import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { withFiles } from './files';
import { toItems } from './items';
import type { Call, ItemRequest, Result } from './operation';
import { inOrder } from './outcome';
import type { RetryPolicy } from './retry';
import { send, stoppedError, type Line } from './send';
import type { Settings } from './settings';

/** How hard the user wants a request to be tried. */
export const policyOf = (settings: Settings): RetryPolicy => ({
	maxTries: settings.maxTries,
	backOffCap: settings.maxBackOff * 1000,
	budget: settings.maxRetryTime * 1000,
	repeatUncertain: settings.repeatUncertain,
	processing: {
		maxTries: settings.maxDocumentRepeats + 1,
		budget: settings.maxDocumentTime * 60_000,
	},
});

/** What an item brings along to its call. */
export interface Errand {
	line: Line;
	settings: Settings;
	/** The requests of the items that it stands for. */
	requests: ItemRequest[];
	/** The service's notices, each once. */
	notices: Set<string>;
}

/** What an operation needs of one line to the service. */
export const callOn = ({ line, settings, requests, notices }: Errand): Call => ({
	place: line.place,
	settings,
	requests,
	send: async (request) => await send(request, line),
	notice: (text) => notices.add(text),
});

/** The last step of every operation: files fetched, results trimmed, items linked to their input item. */
export async function complete(
	results: Result[],
	{ line, settings, requests, notices }: Errand,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
): Promise<INodeExecutionData[]> {
	if (settings.downloadFiles) {
		const { signal } = line;
		await inOrder(
			results,
			settings.requestsInFlight,
			async (result, index) => {
				results[index] = await withFiles(result, helpers, line);
			},
			() => signal?.aborted === true,
		);
		if (signal?.aborted) throw stoppedError(line.place);
	}
	if (results.some(({ json }) => json.fileErrors !== undefined)) {
		notices.add(`Some files could not be downloaded. The items' 'fileErrors' say which and why.`);
	}
	return toItems(
		results,
		settings,
		requests.map(({ itemIndex }) => itemIndex),
	);
}
