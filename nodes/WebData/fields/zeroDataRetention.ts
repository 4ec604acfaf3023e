import { boolean } from '../../runtime/form/field';
import { more } from './prices';

/**
 * Whether the service stores nothing of the request and its result
 * (https://docs.firecrawl.dev/features/scrape).
 */
export const zeroDataRetention = boolean({
	displayName: 'Zero Data Retention',
	default: true,
	description: `Whether to retain no data, ${more('zeroDataRetention')} per page; must be enabled for the team`,
});
