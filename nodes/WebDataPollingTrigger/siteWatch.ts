import type { IDataObject } from 'n8n-workflow';
import { settingsFields } from '../runtime/form/settings';
import type { NodeMemory } from '../runtime/operation/operation';
import { pluralize } from '../runtime/values/text';
import { fieldOf } from '../runtime/values/record';
import { keyHash } from '../runtime/values/seenSet';
import type { Changes, Insertion } from '../WebData/resources/site/changes';
import { syncRequest } from '../WebData/resources/site/request';
import { nameOf } from '../WebData/resources/site/siteMemory';
import { syncSite } from '../WebData/resources/site/syncSite';
import { watch, type Finding } from './watch';

/** The fields of Site: Sync that split pages into chunks, for a store. */
const ofChunks = ['splitInto', 'maxChunkTokens'];

/** A copy of a state as memory of a website. */
function memoryOf(state: IDataObject): NodeMemory {
	return {
		get: (name) => state[name],
		names: () => Object.keys(state),
		set: (name, value) => {
			if (value === undefined) delete state[name];
			else state[name] = value;
		},
	};
}

/** The findings of a sync: removed, changed and new pages. */
function findingsOf({ removed, changed, added }: Changes, about: IDataObject): Finding[] {
	const finding = (change: string, page: IDataObject, text = ''): Finding => ({
		id: `${String(page.pageId)} ${change} ${keyHash(text)}`,
		result: { json: { ...page, change, ...about } },
	});
	const pageOf = ({ pageId, url, title, markdown }: Insertion): IDataObject => ({
		url,
		title,
		pageId,
		current: { markdown },
	});
	return [
		...removed.map(({ pageId, url = null }) => finding('removed', { url, pageId })),
		...changed.map((page) => finding('changed', pageOf(page), page.markdown)),
		...added.map((page) => finding('new', pageOf(page), page.markdown)),
	];
}

/** Polls a website as Site: Sync does. */
export const siteWatch = watch({
	name: 'Website',
	value: 'site',
	description: 'New, changed and removed pages of a website',
	action: 'On changes of a website',
	request: {
		...syncRequest,
		fields: syncRequest.fields.filter(({ name }) => !ofChunks.includes(name)),
		read: (values) => syncRequest.read({ ...values, splitInto: 'pages' }),
	},
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime', 'maxWait'),
	async check(request, state, context) {
		const name = nameOf(request.url);
		const before = state?.[name];
		const nextState: IDataObject = before === undefined ? {} : { [name]: before };
		const { changes, about } = await syncSite(request, memoryOf(nextState), context);
		const isExisting = before === undefined || request.startOver;
		const found = findingsOf(changes, {
			checkedAt: context.now.toISOString(),
			previousCheckAt: String(fieldOf(before, 'at') ?? '') || null,
			request: about,
		});
		const { added, changed, unchanged } = changes;
		return {
			found: found.map((finding) => ({ ...finding, isExisting })),
			nextState,
			checked: pluralize(added.length + changed.length + unchanged, 'page'),
		};
	},
});
