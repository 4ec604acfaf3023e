import { boolean } from '../../runtime/form/field';
import { more } from './prices';

/** Nothing of the request and its result is kept (https://docs.firecrawl.dev/features/scrape). */
export const zeroDataRetention = boolean({
	displayName: 'Zero Data Retention',
	default: true,
	description: `Whether the service keeps nothing of it, ${more('zeroDataRetention')} per page; the team must have the feature`,
});
