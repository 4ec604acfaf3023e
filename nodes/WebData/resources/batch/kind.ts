import { memberOf } from '../../../runtime/record';
import type { Call, Result } from '../../../runtime/operation';
import { parseUrl } from '../../../runtime/parseUrl';
import { url } from '../../fields/url';
import type { DocumentJobKind } from '../../documents/documentJob';

/** An address as the service writes it: with a scheme, so that what was asked for is found in what came back. */
export const canonical = (url: unknown): string => {
	const given = String(url).trim();
	return parseUrl(given)?.href ?? parseUrl(`http://${given}`)?.href ?? given;
};

/** Where an address stands in the request, and which input items asked for it. */
interface Origin {
	position: number;
	items: number[];
}

function originsIn(call: Call): Map<string, Origin> {
	const origins = new Map<string, Origin>();
	for (const { itemIndex, body } of call.requests) {
		const urls = memberOf(body, 'urls');
		for (const url of Array.isArray(urls) ? urls : []) {
			const address = canonical(url);
			const origin = origins.get(address) ?? { position: origins.size, items: [] };
			if (!origin.items.includes(itemIndex)) origin.items.push(itemIndex);
			origins.set(address, origin);
		}
	}
	return origins;
}

const addressOf = ({ json }: Result) => memberOf(json.metadata, 'sourceURL') ?? json.url;

/** Puts the pages in the order of the addresses, which the service does not keep (addendum 5), each linked to the items that asked for it. */
export function arrange(results: Result[], call: Call): Result[] {
	const origins = originsIn(call);
	return results
		.map((result) => {
			const { position = Infinity, items } = origins.get(canonical(addressOf(result))) ?? {};
			return { position, result: { ...result, items } };
		})
		.sort((one, other) => one.position - other.position || 0)
		.map(({ result }) => result);
}

/** Batches of pages (addendum 5). */
export const batchKind: DocumentJobKind = {
	noun: 'batch',
	root: '/batch/scrape',
	arrange,
	invalidIn: (call) =>
		call.requests
			.flatMap(({ body }) => memberOf(body, 'urls') ?? [])
			.filter((given) => !url().safeParse(given).success)
			.map(String),
};
