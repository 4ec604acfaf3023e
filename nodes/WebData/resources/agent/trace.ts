import type { IDataObject } from 'n8n-workflow';
import { isRecord, fieldOf } from '../../../runtime/values/record';

const agentOf = ({ agent }: IDataObject) => (isRecord(agent) ? String(agent.id) : '');

/** The time of an event. With and without fractions of a second, texts do not compare. */
const timeOf = ({ occurredAt }: IDataObject) => Date.parse(String(occurredAt));

const sequenceOf = ({ producerSequence }: IDataObject) => Number(producerSequence ?? 0) || 0;

/**
 * Sorts a trace's events: those of an agent by sequence, those of several agents by time
 * (https://docs.firecrawl.dev/api-reference/endpoint/agent-trace). An event dated before an earlier
 * one of its agent counts as of that one's time.
 */
export function inOrderOfEvents(events: IDataObject[]): IDataObject[] {
	const agents = new Map<string, { place: number; latest: number }>();
	const dated = [...events]
		.sort((one, other) => sequenceOf(one) - sequenceOf(other))
		.map((event) => {
			const name = agentOf(event);
			const agent = agents.get(name) ?? { place: agents.size, latest: -Infinity };
			const time = timeOf(event);
			if (time > agent.latest) agent.latest = time;
			agents.set(name, agent);
			return { event, time: agent.latest, place: agent.place };
		});
	return dated
		.sort((one, other) =>
			one.time === other.time ? one.place - other.place : one.time < other.time ? -1 : 1,
		)
		.map(({ event }) => event);
}

/** The ID of an event's snapshot, if any. */
export function snapshotIdOf({ artifact }: IDataObject): string | undefined {
	const id = fieldOf(artifact, 'snapshotId');
	return typeof id === 'string' ? id : undefined;
}

/** An event with its most used fields at the top: the snapshot's ID and the error's fields. */
export function flattened(event: IDataObject): IDataObject {
	const { type, occurredAt, agent, ...rest } = event;
	const { error, retryable } = event;
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
			// Some servers return it inside the error, others beside it.
			errorRetryable: (error.retryable ?? retryable) as boolean,
		}),
	};
}
