import { canonicalAddress } from '../../runtime/values/parseUrl';

/** An address as the service writes it, so that what was asked for is found in what came back. */
export const canonical = (url: unknown): string => canonicalAddress(String(url));

/** The page that an address leads to: a fragment is a place in it. */
export const pageAt = (url: unknown): string => canonical(url).split('#', 1)[0];
