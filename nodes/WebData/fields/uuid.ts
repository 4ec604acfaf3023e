import { Refusal, shown, text } from '../../runtime/contract';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id of the service: a UUID (api-v2, Agent-specific errors; addendum 0, Job ids). */
export const uuid = () =>
	text({
		mend: (value) => {
			const id = value.trim().toLowerCase();
			return pattern.test(id)
				? id
				: new Refusal(
						`must be an ID such as 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b, not ${shown(value)}`,
					);
		},
	});
