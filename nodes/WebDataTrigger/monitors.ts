import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { missingInResponse } from '../runtime/api/errors';
import { settle } from '../runtime/values/settle';
import { readByOffset } from '../runtime/http/paging';
import { isRecord, fieldOf } from '../runtime/values/record';
import { asRecord } from '../runtime/output/results';
import { monitorEndpoints } from '../WebData/fields/monitor/endpoints';
import type { TriggerConnection } from './connection';

const isGone = (error: Error) => error instanceof NodeApiError && error.httpCode === '404';

/** A monitor as the service has it; undefined when it is gone. */
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

/** All monitors of the account that are not deleted. */
export async function listMonitors(connection: TriggerConnection): Promise<IDataObject[]> {
	const monitors = await readByOffset({ endpoint: monitorEndpoints.list }, Infinity, connection);
	return monitors.filter(({ status }) => status !== 'deleted');
}

/** Makes a monitor. Resolves with its ID. @throws NodeOperationError when the answer names none: it may be there all the same */
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

/** Changes a monitor. @throws NodeOperationError when the answer does not hold it: then nothing says that it was changed */
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

/** Removes a monitor; one that is gone is none to remove. */
export async function removeMonitor(connection: TriggerConnection, id: string): Promise<void> {
	const request = { endpoint: monitorEndpoints.delete, ids: { id } };
	const outcome = await settle(connection.send(request));
	if (!outcome.ok && !isGone(outcome.error)) throw outcome.error;
}

/** Has a monitor check its targets now. */
export async function checkMonitor(connection: TriggerConnection, id: string): Promise<void> {
	await connection.send({ endpoint: monitorEndpoints.run, ids: { id } });
}
