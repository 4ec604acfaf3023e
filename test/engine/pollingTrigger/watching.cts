import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { NewPage } from '../../mock/site/site.cjs';
import type { DrivenTime } from '../drivenTime.cjs';
import { PolledWorkflow, type PolledOptions } from '../polledWorkflow.cjs';
import type { Account, TestBed } from '../testBed.cjs';

/** A word that no page of the mock server's web has until a test adds one. */
export const topic = 'zephyrine';

/** A page on the topic. */
export const page = (name: string, more: Partial<NewPage> = {}): NewPage => ({
	url: `https://tidewatch.example/finds/${name}`,
	title: `The ${topic} ${name}`,
	description: `About the ${topic} ${name}`,
	markdown: `# The ${topic} ${name}\n\nAll about it.`,
	published: new Date().toISOString(),
	...more,
});

/** The address of a page on the topic. */
export const addressOf = (name: string): string => page(name).url;

/** The trigger of a workflow, watching the topic unless its parameters say otherwise. */
export const watcher = (
	testBed: TestBed,
	parameters: INodeParameters = {},
	{ account = testBed.account(), ...options }: Partial<PolledOptions> & { account?: Account } = {},
): PolledWorkflow =>
	new PolledWorkflow(testBed.engine, {
		credentials: account.credentials,
		...options,
		parameters: { query: topic, ...parameters },
	});

/** Activates a trigger, and polls once: n8n stores nothing of the poll at activation if it found nothing. */
export async function started(trigger: PolledWorkflow, time: DrivenTime): Promise<PolledWorkflow> {
	await time.drive(trigger.activate());
	await time.drive(trigger.poll());
	return trigger;
}

/** The addresses of results, in order. */
export const urlsOf = (results: IDataObject[]): unknown[] => results.map(({ url }) => url);
