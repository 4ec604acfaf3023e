import type { Resource } from '../../../runtime/operation/operation';
import { getActivity } from './getActivity';
import { getCreditHistory } from './getCreditHistory';
import { getCreditUsage } from './getCreditUsage';
import { getQueueStatus } from './getQueueStatus';

export const account: Resource = {
	name: 'Account',
	value: 'account',
	operations: [getCreditUsage, getCreditHistory, getQueueStatus, getActivity],
};
