import { createHmac } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { INodeParameters, INodeType, IWebhookFunctions } from 'n8n-workflow';
import { LoadedNodeTypes } from '../engine/nodeTypes.cjs';
import { Triggers, watch } from '../engine/trigger/triggers.cjs';
import type { WebhookTrigger } from '../engine/webhookTrigger.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { canaries, replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import {
	deliveryFindings,
	isCredible,
	mostRequests,
	workRead,
	workUnread,
	type DeliveryOutcome,
} from './deliveryFindings.cjs';
import { prototypes, type Findings } from './findings.cjs';
import {
	hostileCall,
	hostileCalls,
	eventOf,
	ownMark,
	ownMonitor,
	sendCall,
	worstBodies,
	type CallRecipe,
} from './hostileCalls.cjs';
import { secretFindings, useWrittenLines } from './secrets.cjs';
import { WebhookProbe, type WebhookMethod } from './webhookProbe.cjs';

/** Calls of each setting. */
const calls = scaled(150);

/** The size of the worst bodies, in bytes: enough for what is done once per entry to show. */
const large = 200_000;

const { webhookSecret } = canaries;

/** A webhook of one of the nodes, ready to be called. */
interface Target {
	hasSecret: boolean;
	/** Calls it, to everything that came of the call. */
	take(recipe: CallRecipe): Promise<DeliveryOutcome>;
	/** What is left to be seen when all calls have been made. */
	end(): Promise<Findings>;
}

type Plant = (method: WebhookMethod) => WebhookMethod;

/** Calls by strangers, and by those who know the secret, to a trigger's webhook. */
describe('hostile deliveries', () => {
	const testBed = useTestBed();
	useWrittenLines();
	const countCall = useCount('hostile calls of webhooks');
	const triggers = new Triggers(testBed);
	const probes: WebhookProbe[] = [];

	afterEach(async () => {
		for (const probe of probes.splice(0)) probe.close();
		await triggers.close();
	});

	const typeOf = (name: string): INodeType =>
		new LoadedNodeTypes(testBed.engine.loader).getByNameAndVersion(
			testBed.engine.typeName(name),
			1,
		);

	const probeOf = (name: string, plant?: Plant): WebhookProbe => {
		const probe = new WebhookProbe(typeOf(name), plant);
		probes.push(probe);
		return probe;
	};

	/** Makes a call, and looks at what it changed. */
	const taken = async (
		recipe: CallRecipe,
		own: { metadata: unknown; monitorId: string },
		hasSecret: boolean,
		probe: WebhookProbe,
		address: string,
		state: () => { started: number; stored: string },
		idle: () => Promise<void>,
	): Promise<DeliveryOutcome> => {
		countCall();
		const content = recipe.content
			.replaceAll(ownMark, JSON.stringify(own.metadata))
			.replaceAll(ownMonitor, own.monitorId);
		const call = hostileCall({ ...recipe, content }, webhookSecret);
		const { log } = testBed.service;
		const before = state();
		const asked = log.entries.length;
		const credible = isCredible({ call, hasSecret });
		probe.expect(credible ? workRead(call) : workUnread(call));
		const status = await sendCall(address, call);
		// Of requests without end, as many are awaited as it takes to know.
		let isIdle = false;
		void idle().then(() => (isIdle = true));
		while (!isIdle && log.entries.length - asked <= mostRequests) await turn();
		const after = state();
		return {
			call,
			status,
			probed: probe.last,
			started: after.started - before.started,
			requests: log.entries.length - asked,
			stored: [before.stored, after.stored],
			hasSecret,
		};
	};

	const triggerTarget = async (
		parameters: INodeParameters,
		hasSecret: boolean,
		plant?: Plant,
	): Promise<Target> => {
		const secret = hasSecret ? webhookSecret : '';
		const account = canaryAccount(testBed.service, { webhookSecret: secret || undefined });
		const trigger: WebhookTrigger = await triggers.active(parameters, { account, secret });
		const probe = probeOf('webDataTrigger', plant);
		const monitor = triggers.monitors.find(
			({ settings }) => settings.webhook?.url === trigger.address,
		);
		const { id: monitorId = ownMonitor, settings } = monitor ?? {};
		const own = { monitorId, metadata: settings?.webhook?.metadata ?? {} };
		const take = async (recipe: CallRecipe) =>
			await taken(recipe, own, hasSecret, probe, trigger.address, state, idle);
		const state = () => ({
			started: trigger.started.length,
			stored: JSON.stringify(trigger.stored),
		});
		const idle = async () => await trigger.idle();
		return {
			hasSecret,
			take,
			end: async () => {
				const { started } = await take({ content: sound(parameters) });
				return [
					...(started === 1 ? [] : [`a genuine call afterwards started ${started} executions`]),
					...secretFindings('the static data', trigger.stored),
				];
			},
		};
	};

	const monitored = (includePages: boolean): INodeParameters => ({
		...watch,
		events: ['changed', 'checkCompleted'],
		includePages,
	});
	const jobs: INodeParameters = { source: 'webhookEvents' };

	/** An event that starts the workflow of a trigger with these parameters. */
	const sound = ({ source }: INodeParameters): string =>
		source === 'webhookEvents'
			? eventOf('crawl.page', '[{"url":"a"}]', 'sound')
			: eventOf(
					'monitor.page',
					`[{"url":"a","status":"changed","monitorId":"${ownMonitor}"}]`,
					'sound',
				);

	type Open = (plant?: Plant) => Promise<Target>;
	const targets: Array<[words: string, open: Open]> = [
		[
			'a trigger with a secret',
			async (plant) => await triggerTarget(monitored(false), true, plant),
		],
		[
			'a trigger that adds pages',
			async (plant) => await triggerTarget(monitored(true), true, plant),
		],
		['… without a secret', async (plant) => await triggerTarget(monitored(true), false, plant)],
		[
			"a trigger for jobs' events, without a secret",
			async (plant) => await triggerTarget(jobs, false, plant),
		],
	];

	describe.each(targets)('to %s', (words, open) => {
		it('do no harm', async () => {
			const target = await open();
			const inherited = prototypes();
			await fc.assert(
				fc.asyncProperty(hostileCalls(), async (recipe) => {
					expect(deliveryFindings(await target.take(recipe))).toEqual([]);
				}),
				{ seed: seedOf(words), numRuns: calls, endOnFailure: true, ...replay() },
			);
			expect(await target.end()).toEqual([]);
			expect(prototypes()).toEqual(inherited);
		});

		it.each(Object.keys(worstBodies))('do no harm by much of: %s', async (name) => {
			const target = await open();
			const content = worstBodies[name](large);
			const found: Findings = [];
			for (const signature of ['right', 'missing']) {
				found.push(...deliveryFindings(await target.take({ content, signature })));
			}
			expect([...found, ...(await target.end())]).toEqual([]);
		});
	});

	/** Defects that a webhook can have, each with what must be reported of it. */
	describe('a planted defect is reported', () => {
		const { 'page entries': pages } = worstBodies;
		const unsigned = { content: pages(4_000), signature: 'missing' };
		const signed = { content: pages(20_000) };
		const mixed = { content: pages(4_000), type: 'multipart/mixed' };

		const bodyOf = (context: IWebhookFunctions) => Object(context.getBodyData());

		const defects: Array<[string, Plant, CallRecipe, RegExp]> = [
			[
				'a call without a raw body throws',
				(method) =>
					async function () {
						const { rawBody } = this.getRequestObject();
						createHmac('sha256', webhookSecret).update(rawBody);
						return await method.call(this);
					},
				mixed,
				/thrown|was taken up/,
			],
			[
				'another status',
				() =>
					async function () {
						this.getResponseObject().status(502).end();
						return { noWebhookResponse: true };
					},
				signed,
				/answered 502/,
			],
			[
				'every call is genuine',
				() =>
					async function () {
						return { workflowData: [[{ json: {} }]] };
					},
				unsigned,
				/not genuine, and something was started/,
			],
			[
				'the body is read before the signature',
				(method) =>
					async function () {
						this.getBodyData();
						return await method.call(this);
					},
				unsigned,
				/its body was read/,
			],
			[
				'the signature is compared with several',
				(method) =>
					async function () {
						for (const secret of ['a', 'b']) createHmac('sha256', secret).update('').digest();
						return await method.call(this);
					},
				unsigned,
				/digests were made/,
			],
			[
				'calls are counted before the signature',
				(method) =>
					async function () {
						Object.assign(this.getWorkflowStaticData('node'), { count: 1 });
						return await method.call(this);
					},
				unsigned,
				/something was kept/,
			],
			[
				'the type is split for every entry',
				(method) =>
					async function () {
						const type = '.'.repeat(100_000);
						for (const _ of bodyOf(this).data) type.split('.').at(-1);
						return await method.call(this);
					},
				signed,
				/work/,
			],
			[
				'a request for every entry',
				(method) =>
					async function () {
						const { url } = testBed.service;
						for (const _ of bodyOf(this).data)
							await this.helpers.httpRequest({ url, ignoreHttpStatusErrors: true });
						return await method.call(this);
					},
				signed,
				/requests for one call/,
			],
			[
				'IDs of any length are kept',
				(method) =>
					async function () {
						Object.assign(this.getWorkflowStaticData('node'), { ids: 'x'.repeat(300_000) });
						return await method.call(this);
					},
				signed,
				/characters are kept/,
			],
		];

		it.each(defects)('%s', async (_words, plant, call, expected) => {
			const target = await triggerTarget(monitored(true), true, plant);

			expect(deliveryFindings(await target.take(call)).join('\n')).toMatch(expected);
		});
	});
});
