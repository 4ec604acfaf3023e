import type { IDataObject } from 'n8n-workflow';
import { isRecord, memberOf } from '../../../runtime/record';

const agentOf = ({ agent }: IDataObject) => (isRecord(agent) ? String(agent.id) : '');

/** Written with or without fractions of a second, so no text comparison will do. */
const timeOf = ({ occurredAt }: IDataObject) => Date.parse(String(occurredAt));

const sequenceOf = ({ producerSequence }: IDataObject) => Number(producerSequence ?? 0);

/**
 * A trace's events as they happened: each agent's own in the order of its sequence, those of several
 * agents by time (addendum 1: the array's order means nothing).
 */
export function inOrderOfEvents(events: IDataObject[]): IDataObject[] {
	const queues = new Map<string, IDataObject[]>();
	for (const event of [...events].sort((one, other) => sequenceOf(one) - sequenceOf(other))) {
		const agent = agentOf(event);
		queues.set(agent, [...(queues.get(agent) ?? []), event]);
	}
	const ordered: IDataObject[] = [];
	const heads = () => [...queues.values()].filter((queue) => queue.length > 0);
	for (let waiting = heads(); waiting.length > 0; waiting = heads()) {
		const earliest = waiting.reduce((one, other) =>
			timeOf(other[0]) < timeOf(one[0]) ? other : one,
		);
		ordered.push(...earliest.splice(0, 1));
	}
	return ordered;
}

/** The snapshot that an event names, if it names one. */
export function snapshotIdOf({ artifact }: IDataObject): string | undefined {
	const id = memberOf(artifact, 'snapshotId');
	return typeof id === 'string' ? id : undefined;
}

/** An event with what users look for at its top: the snapshot's id and the error's parts. */
export function flattened(event: IDataObject): IDataObject {
	const { type, occurredAt, agent, ...rest } = event;
	const { error } = event;
	const snapshotId = snapshotIdOf(event);
	return {
		type,
		occurredAt,
		agent,
		...rest,
		...(snapshotId !== undefined && { snapshotId }),
		...(isRecord(error) && {
			errorCode: error.code as string,
			errorSource: error.source as string,
			errorRetryable: error.retryable as boolean,
		}),
	};
}
