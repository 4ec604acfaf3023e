import type { Step } from './accesses.cjs';
import { ownOf } from './json.cjs';
import type { Operation } from './operations.cjs';
import type { ServiceCall } from './serviceCall.cjs';

/** Where the new item has what the old one had: other steps, or code in the place of the access. */
export type NewPlace = { steps: Step[]; method?: string } | { code: string };

/** How the items of a converted node differ from those of the former one. */
export interface Shape {
	/** Whether the item is the same, so that whoever reads it reads on. */
	isSame: boolean;
	/** The new place of what steps read; undefined if there is none. */
	placeOf(steps: Step[]): NewPlace | undefined;
}

/** The same item. */
export const same: Shape = { isSame: true, placeOf: (steps) => ({ steps }) };

/** What steps read of the response; undefined for what is not of the response. */
function inResponse({ wrapper, endpoint }: ServiceCall, steps: Step[]): Step[] | undefined {
	const [first, second] = steps;
	if (wrapper === 'none') return steps;
	// What reads the whole item gets another one.
	if (first === undefined) return undefined;
	if (wrapper === 'body') return first === 'body' ? steps.slice(1) : undefined;
	// Newer versions of the official node return the response itself.
	if (first !== 'data') return steps;
	const isList = typeof second === 'number' && endpoint.startsWith('GET ');
	return isList ? steps : steps.slice(1);
}

/** Former names of what pages have. */
const renamedFormats: Record<string, string> = {
	extract: 'json',
	llm_extraction: 'json',
	content: 'markdown',
	linksOnPage: 'links',
};

/** Former names of what the metadata of a page of v0 have, by their place in a page of v2. */
const metadataV0: Record<string, Step[]> = {
	pageStatusCode: ['metadata', 'statusCode'],
	pageError: ['metadata', 'error'],
	screenshot: ['screenshot'],
};

/** The place in a page of v2 of what one of an older version had. */
function inNewPage({ version }: ServiceCall, steps: Step[]): Step[] {
	const [first, second] = steps;
	const isMoved = version === 'v0' && first === 'metadata';
	const moved = isMoved ? ownOf(metadataV0, second) : undefined;
	if (moved) return [...moved, ...steps.slice(2)];
	const renamed = ownOf(renamedFormats, first);
	return renamed === undefined ? steps : [renamed, ...steps.slice(1)];
}

/** The place in a response of v2 of what one of v0 had beside its pages; undefined if there is none. */
function beside([first, ...rest]: Step[]): NewPlace | undefined {
	if (first === 'status') {
		const states = '.replace("scraping", "active").replace("cancelled", "failed")';
		return { steps: [first], method: states };
	}
	if (first === 'current') return { steps: ['completed', ...rest] };
	return first === 'partial_data' || first === 'returnCode'
		? undefined
		: { steps: [first, ...rest] };
}

const isResearch = ({ endpoint }: ServiceCall) => endpoint === 'GET /deep-research/{id}';

/** What the data of a research have, and undefined for all of it; and what is the same beside them. */
const inResearch: Array<Step | undefined> = ['finalAnalysis', 'sources', 'json', undefined];
const asBefore: Array<Step | undefined> = ['success', 'status', 'expiresAt'];

/** The place in a response of v2 of what one of an older version had. */
function inNewResponse(call: ServiceCall, steps: Step[]): NewPlace | undefined {
	const { version, endpoint } = call;
	const [first, second, ...rest] = steps;
	if (isResearch(call)) {
		const isKept = first === 'data' ? inResearch.includes(second) : asBefore.includes(first);
		return isKept ? { steps } : undefined;
	}
	if (version === 'v2') return { steps };
	if (endpoint === 'POST /map' && version === 'v1' && first === 'links') {
		if (second === undefined) return { steps, method: '.map(({ url }) => url)' };
		return typeof second === 'number' ? { steps: [first, second, 'url'] } : undefined;
	}
	if (first !== 'data' || second === undefined) {
		if (endpoint === 'POST /search' && first === 'data') return { steps: ['data', 'web'] };
		return version === 'v0' && first !== undefined ? beside(steps) : { steps };
	}
	const list = endpoint === 'POST /search' ? ['data', 'web'] : ['data'];
	if (endpoint === 'POST /scrape')
		return { steps: [...list, ...inNewPage(call, [second, ...rest])] };
	const isPage = typeof second === 'number' && !/extract|agent/.test(endpoint);
	return { steps: [...list, second, ...(isPage ? inNewPage(call, rest) : rest)] };
}

function changesResponse(call: ServiceCall): boolean {
	const { version, endpoint, body } = call;
	const isChanged = ['POST /search', 'POST /map'].includes(endpoint);
	return (
		version === 'v0' ||
		isResearch(call) ||
		(version === 'v1' && (isChanged || JSON.stringify(body).includes('"json"')))
	);
}

/** The item with *Whole Response*. */
export function responseShape(call: ServiceCall): Shape {
	const changes = changesResponse(call);
	if (call.wrapper === 'none' && !changes) return same;
	const isPage = call.endpoint === 'POST /scrape';
	return {
		isSame: false,
		placeOf(steps) {
			const read = inResponse(call, steps);
			// Behind the whole response, or its page, nothing of it can be followed.
			const isWhole = read?.length === 0 || (isPage && read?.length === 1 && read[0] === 'data');
			return !read || (changes && isWhole) ? undefined : inNewResponse(call, read);
		},
	};
}

/** Further steps after those of a response. */
const thenIn = (place: NewPlace | undefined, inItem: (steps: Step[]) => NewPlace | undefined) =>
	place && 'steps' in place && place.method === undefined ? inItem(place.steps) : undefined;

const shapeOf = (call: ServiceCall, inItem: (steps: Step[]) => NewPlace | undefined): Shape => ({
	isSame: false,
	placeOf(steps) {
		const read = inResponse(call, steps);
		if (read?.length === 1 && read[0] === 'success') {
			return call.continues === true ? undefined : { code: 'true' };
		}
		return read && thenIn(inNewResponse(call, read), inItem);
	},
});

const camelCase = (name: Step): Step =>
	typeof name === 'string'
		? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
		: name;

/** The item of an operation that cannot return the whole response. */
export const fieldShape = (call: ServiceCall, { operation, holds, fields }: Operation): Shape =>
	shapeOf(call, ([first, ...rest]) => {
		if (operation === 'cancel') {
			return first === 'status' && rest.length === 0 ? { code: '"cancelled"' } : undefined;
		}
		if (holds === 'response') return first === undefined ? undefined : { steps: [first, ...rest] };
		if (holds === 'data') {
			const [name, ...more] = rest;
			return first === 'data' && name !== undefined
				? { steps: [camelCase(name), ...more] }
				: undefined;
		}
		const field = ownOf(fields ?? {}, first);
		return field === undefined ? undefined : { steps: [field, ...rest] };
	});

/** An entry of a list that was split, as an item of its own. */
export const entryShape = ({ endpoint, version }: ServiceCall): Shape => ({
	isSame: false,
	placeOf(steps) {
		if (endpoint !== 'POST /map') return { steps };
		// Split Out puts a text under the name of its list: the links of older versions were texts.
		if (steps.length === 1 && steps[0] === 'links') return { steps: ['url'] };
		return version === 'v2' ? { steps } : undefined;
	},
});

/** What a start returned, in the response of the operation that also waits for its job. */
export const startShape = (call: ServiceCall): Shape =>
	shapeOf(call, ([first, ...rest]) => {
		return first === 'id' || first === 'jobId' ? { steps: ['id', ...rest] } : undefined;
	});

/** The status of an extraction in the response for the page that replaces it. */
export const extractionShape = (call: ServiceCall): Shape =>
	shapeOf(call, ([first, ...rest]) => {
		if (first === 'status' && rest.length === 0) return { code: '"completed"' };
		return first === 'data' ? { steps: ['data', 'json', ...rest] } : undefined;
	});

/** An item of which nothing can be read on. */
export const unreadable: Shape = { isSame: false, placeOf: () => undefined };
