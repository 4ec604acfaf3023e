import { PackageDirectoryLoader } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createHmac, randomUUID } from 'node:crypto';

import { type MonitorBody, MonitorClient } from '../../mock/testClient.cjs';
import type { Delivery } from '../../mock/webhooks.cjs';
import { projectRoot } from '../../root.cjs';
import { Engine } from '../harness.cjs';
import { type Account, type TestBed, useTestBed } from '../testBed.cjs';
import { WebhookTrigger, type WebhookTriggerOptions } from '../webhookTrigger.cjs';

export const secret = 'whsec-of-the-team';

/** Pages of the small web. */
export const tides = 'https://tidewatch.example/guides/spring-tides';
export const storms = 'https://tidewatch.example/guides/storm-surges';

/** What a new monitor needs, as the editor stores it. */
export const watch = {
	targets: { values: [{ type: 'scrape', urls: tides }] },
	schedule: 'hourly',
} satisfies INodeParameters;

/** What differs from a trigger of a signed account whose n8n can be reached. */
export interface Setting extends Partial<Pick<WebhookTriggerOptions, 'publicUrl'>> {
	/** In the credential and with the service; empty: neither has one. */
	secret?: string;
	baseUrl?: string;
	account?: Account;
}

/** Web Data Triggers in n8n, beside the service that calls them. */
export class Triggers {
	private readonly open: WebhookTrigger[] = [];

	constructor(readonly testBed: TestBed) {}

	account(webhookSecret = secret): Account {
		return this.testBed.account({ credits: 1e6, webhookSecret: webhookSecret || undefined });
	}

	/** A workflow with a trigger, not active yet. */
	async trigger(parameters: INodeParameters, setting: Setting = {}): Promise<WebhookTrigger> {
		const { engine } = this.testBed;
		const { secret: webhookSecret = secret, publicUrl, baseUrl } = setting;
		const { credentials } = setting.account ?? this.account(webhookSecret);
		const { webDataApi } = credentials;
		const trigger = new WebhookTrigger(engine, {
			node: 'Watch',
			publicUrl,
			credentials: { webDataApi: { ...webDataApi, webhookSecret, ...(baseUrl && { baseUrl }) } },
			workflow: {
				name: 'Tides',
				nodes: [
					{
						id: 'watch',
						webhookId: randomUUID(),
						name: 'Watch',
						type: engine.typeName('webDataTrigger'),
						typeVersion: 1,
						position: [0, 0],
						parameters,
					},
				],
				connections: {},
			},
		});
		await trigger.open();
		this.open.push(trigger);
		return trigger;
	}

	/** A workflow that is active. */
	async active(parameters: INodeParameters, setting?: Setting): Promise<WebhookTrigger> {
		const trigger = await this.trigger(parameters, setting);
		await trigger.activate();
		return trigger;
	}

	async close(): Promise<void> {
		for (const trigger of this.open.splice(0)) await trigger.close();
	}

	/** The monitors that there are, oldest first, whoever has them. */
	get monitors() {
		return this.testBed.service.context.monitors.all;
	}

	/** Makes a monitor without the node, and forgets the requests for it. */
	async made(account: Account, change: Record<string, unknown> = {}): Promise<MonitorBody> {
		const monitor = await this.client(account).created(change);
		this.testBed.service.log.clear();
		return monitor;
	}

	/** Calls the service without the node. */
	client({ key }: Account): MonitorClient {
		return new MonitorClient(this.testBed.service, key);
	}

	/** Every request received: method, path and body. */
	get requests(): unknown[][] {
		return this.testBed.service.log.entries.map(({ method, path, body }) =>
			body === undefined ? [method, path] : [method, path, body],
		);
	}

	/** The requests for the pages of checks. */
	get checksRead() {
		return this.testBed.service.log.entries.filter(({ path }) => path.includes('/checks/'));
	}

	/** Puts a line at the end of a page. */
	append(url: string, line: string): void {
		const { site } = this.testBed.service;
		site.update(url, { markdown: `${site.find(url)?.markdown}\n\n${line}` });
	}

	/** The next check by the schedule, its calls answered and worked on. */
	async nextCheck(): Promise<void> {
		await this.testBed.service.context.monitors.toNextCheck();
		await this.idle();
	}

	/** Lets the calls of checks come to their end. */
	async settled(): Promise<void> {
		await this.testBed.service.context.webhooks.idle();
		await this.idle();
	}

	/** A call of a trigger, signed; resolves with its status when the triggers have worked on it. */
	async send({ address }: WebhookTrigger, text: string, key = secret): Promise<number> {
		return await this.call(address, text, signed(text, key));
	}

	/** A call by anybody, its body as it is; resolves with its status when the triggers have worked on it. */
	async call(address: string, text: BodyInit, headers?: Record<string, string>): Promise<number> {
		const status = await this.answerTo(address, text, headers);
		await this.idle();
		return status;
	}

	/** The same, resolved with the answer. */
	async answerTo(
		address: string,
		text: BodyInit,
		headers: Record<string, string> = {},
	): Promise<number> {
		const response = await fetch(address, {
			method: 'POST',
			body: text,
			headers: { 'content-type': 'application/json', ...headers },
		});
		await response.arrayBuffer();
		return response.status;
	}

	/** Resolves when nothing that has come is being worked on. */
	async idle(): Promise<void> {
		for (const trigger of this.open) await trigger.idle();
	}

	/** A page event as the service sends it, of the monitor that calls an address. */
	pageEvent(address: string, entry: IDataObject = {}, change: IDataObject = {}): string {
		return this.event(
			'monitor.page',
			address,
			[{ url: tides, status: 'changed', ...entry }],
			change,
		);
	}

	/** An event as the service sends it, of the monitor that calls an address. */
	event(
		type: string,
		address: string,
		entries: IDataObject[] = [],
		change: IDataObject = {},
	): string {
		const monitor = this.monitors.find(({ settings }) => settings.webhook?.url === address);
		return JSON.stringify({
			success: true,
			type,
			id: randomUUID(),
			webhookId: randomUUID(),
			data: entries.map((entry) => ({ monitorId: monitor?.id, checkId: randomUUID(), ...entry })),
			metadata: monitor?.settings.webhook?.metadata ?? {},
			...change,
		});
	}

	get deliveries(): Delivery[] {
		return this.testBed.service.context.webhooks.deliveries;
	}
}

/** Triggers for the tests of a file, on a clock of the service that stands still. */
export function useTriggers(): Triggers {
	const testBed = useTestBed();
	const triggers = new Triggers(testBed);
	beforeEach(() => testBed.service.clock.hold(Date.parse('2026-11-21T12:10:00Z')));
	afterEach(async () => await triggers.close());
	return triggers;
}

/** n8n's process anew: what nodes kept in memory is gone. */
export async function freshEngine(): Promise<Engine> {
	jest.resetModules();
	const loader = new PackageDirectoryLoader(projectRoot);
	await loader.loadAll();
	return new Engine(loader, '');
}

/** The signature of a body. */
export const signed = (text: string, key: string): Record<string, string> => ({
	'X-Firecrawl-Signature': `sha256=${createHmac('sha256', key).update(text).digest('hex')}`,
});

/** What the executions that have been started were given: one list of items each. */
export const itemsOf = ({ started }: WebhookTrigger): IDataObject[][] =>
	started.map((items) => items.map(({ json }) => json));

/** The addresses that the executions were started for. */
export const urlsOf = (trigger: WebhookTrigger): unknown[] =>
	itemsOf(trigger)
		.flat()
		.map(({ url }) => url);
