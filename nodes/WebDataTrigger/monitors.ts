import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { missingInResponse } from '../runtime/api/errors';
import { settle } from '../runtime/values/settle';
import { readByOffset } from '../runtime/http/paging';
import { isRecord, fieldOf } from '../runtime/values/record';
import { asRecord } from '../runtime/output/results';
import { monitorEndpoints } from '../WebData/resources/monitor';
import type { TriggerConnection } from './connection';

const isGone = (error: Error) => error instanceof NodeApiError && error.httpCode === '404';

/** Fetches a monitor; undefined if it does not exist. */
export async function findMonitor(
	connection: TriggerConnection,
	id: string,
): Promise<IDataObject | undefined> {
	const request = { endpoint: monitorEndpoints.get, ids: { id } };
	const outcome = await settle(connection.send(request));
	if (!outcome.ok) {
		if (isGone(outcome.error)) return undefined;
		throw outcome.error;
	}
	const monitor = fieldOf(outcome.value.body, 'data');
	if (!isRecord(monitor) || typeof monitor.id !== 'string')
		throw missingInResponse('the monitor', connection.errorSource);
	return monitor.status === 'deleted' ? undefined : asRecord(monitor);
}

/** Lists the account's monitors that are not deleted. */
export async function listMonitors(connection: TriggerConnection): Promise<IDataObject[]> {
	const monitors = await readByOffset({ endpoint: monitorEndpoints.list }, Infinity, connection);
	return monitors.filter(({ status }) => status !== 'deleted');
}

/**
 * Creates a monitor and returns its ID.
 * @throws NodeOperationError if the response has none, although the monitor may exist
 */
export async function createMonitor(
	connection: TriggerConnection,
	body: IDataObject,
): Promise<string> {
	const response = await connection.send({
		endpoint: monitorEndpoints.create,
		body,
	});
	const id = fieldOf(fieldOf(response.body, 'data'), 'id');
	if (typeof id !== 'string') throw missingInResponse('the monitor', connection.errorSource);
	return id;
}

/**
 * Updates a monitor.
 * @throws NodeOperationError if the response has no monitor, which leaves the outcome unknown
 */
export async function changeMonitor(
	connection: TriggerConnection,
	id: string,
	body: IDataObject,
): Promise<void> {
	const response = await connection.send({
		endpoint: monitorEndpoints.update,
		ids: { id },
		body,
	});
	if (fieldOf(fieldOf(response.body, 'data'), 'id') !== id)
		throw missingInResponse('the monitor', connection.errorSource);
}

/** Deletes a monitor, if it exists. */
export async function removeMonitor(connection: TriggerConnection, id: string): Promise<void> {
	const request = { endpoint: monitorEndpoints.delete, ids: { id } };
	const outcome = await settle(connection.send(request));
	if (!outcome.ok && !isGone(outcome.error)) throw outcome.error;
}

/** Starts a check of a monitor. */
export async function checkMonitor(connection: TriggerConnection, id: string): Promise<void> {
	await connection.send({ endpoint: monitorEndpoints.run, ids: { id } });
}
