import { randomUUID } from 'node:crypto';
import type { WorkflowFile } from './editorApi.cjs';
import { chain } from './n8n.cjs';

/** The name of the trigger of `pageWatch`. */
export const watch = 'Watch';

/** A workflow that runs when the service finds a page new or changed, by a monitor of its own. */
export const pageWatch = (url: string): WorkflowFile =>
	chain('Watch a page', [
		{
			name: watch,
			type: 'n8n-nodes-web-data.webDataTrigger',
			webhookId: randomUUID(),
			parameters: {
				source: 'newMonitor',
				targets: { values: [{ type: 'scrape', urls: url }] },
				schedule: 'hourly',
				events: ['new', 'changed'],
			},
		},
	]);
