import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import { LoadedNodeTypes } from '../engine/nodeTypes.cjs';
import { Triggers, watch } from '../engine/trigger/triggers.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { canaries, replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import {
	deliveryFindings,
	isCredible,
	mostRequests,
	workRead,
	workUnread,
	WebhookProbe,
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

/** Calls of each setting. */
const calls = scaled(150);

/** The size of the worst bodies, in bytes: enough for what is done once per entry to show. */
const large = 200_000;

const { webhookSecret } = canaries;

/** The webhook of a trigger, ready to be called. */
interface Target {
	/** Calls it, to everything that came of the call. */
	take(recipe: CallRecipe): Promise<DeliveryOutcome>;
	/** What is left to be seen when all calls have been made. */
	end(): Promise<Findings>;
}

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

	const triggerType = (): INodeType =>
		new LoadedNodeTypes(testBed.engine.loader).getByNameAndVersion(
			testBed.engine.typeName('webDataTrigger'),
			1,
		);

	/** A trigger with these parameters, active. */
	const targetOf = async (parameters: INodeParameters, hasSecret: boolean): Promise<Target> => {
		const secret = hasSecret ? webhookSecret : '';
		const { service } = testBed;
		const { log } = service;
		const account = canaryAccount(service, { webhookSecret: secret || undefined });
		const trigger = await triggers.active(parameters, { account, secret });
		const probe = new WebhookProbe(triggerType());
		probes.push(probe);
		const monitor = triggers.monitors.find(
			({ settings }) => settings.webhook?.url === trigger.address,
		);
		const metadata = JSON.stringify(monitor?.settings.webhook?.metadata ?? {});

		/** Makes a call, and looks at what it changed. */
		const take = async (recipe: CallRecipe): Promise<DeliveryOutcome> => {
			countCall();
			const content = recipe.content
				.replaceAll(ownMark, metadata)
				.replaceAll(ownMonitor, monitor?.id ?? ownMonitor);
			const call = hostileCall({ ...recipe, content }, webhookSecret);
			const [started, asked] = [trigger.started.length, log.entries.length];
			const before = JSON.stringify(trigger.stored);
			probe.expect(isCredible({ call, hasSecret }) ? workRead(call) : workUnread(call));
			const status = await sendCall(trigger.address, call);
			// Of requests without end, as many are awaited as it takes to know.
			let isIdle = false;
			void trigger.idle().then(() => (isIdle = true));
			while (!isIdle && log.entries.length - asked <= mostRequests) await turn();
			return {
				call,
				status,
				probed: probe.last,
				started: trigger.started.length - started,
				requests: log.entries.length - asked,
				stored: [before, JSON.stringify(trigger.stored)],
				hasSecret,
			};
		};
		return {
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

	/** An event that starts the workflow of a trigger with these parameters. */
	const sound = ({ source }: INodeParameters): string =>
		source === 'webhookEvents'
			? eventOf('crawl.page', '[{"url":"a"}]', 'sound')
			: eventOf(
					'monitor.page',
					`[{"url":"a","status":"changed","monitorId":"${ownMonitor}"}]`,
					'sound',
				);

	const targets: Array<[words: string, parameters: INodeParameters, hasSecret: boolean]> = [
		['a trigger with a secret', monitored(false), true],
		['a trigger that adds pages', monitored(true), true],
		['… without a secret', monitored(true), false],
		[
			"a trigger for jobs' events, without a secret",
			{ source: 'webhookEvents', requireSignature: false },
			false,
		],
	];

	describe.each(targets)('to %s', (words, parameters, hasSecret) => {
		it('do no harm', async () => {
			const target = await targetOf(parameters, hasSecret);
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
			const target = await targetOf(parameters, hasSecret);
			const content = worstBodies[name](large);
			const found: Findings = [];
			for (const signature of ['right', 'missing']) {
				found.push(...deliveryFindings(await target.take({ content, signature })));
			}
			expect([...found, ...(await target.end())]).toEqual([]);
		});
	});
});
