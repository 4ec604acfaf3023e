import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

const testBed = useTestBed();

/** The trigger as n8n describes it, with the field for poll times that n8n puts before the node's own. */
function description() {
	const { type } = testBed.engine.loader.getNode('webDataPollingTrigger');
	if ('nodeVersions' in type) throw new Error('The trigger has versions of its own');
	return type.description;
}

const daily = { item: [{ mode: 'everyDay', hour: 9, minute: 0 }] };

/** The parameters that n8n makes of what is stored: with all defaults, as for running, or as it saves them. */
function parametersOf(stored: INodeParameters, withDefaults: boolean) {
	const node: INode = {
		id: '1',
		name: 'Watch',
		type: 'webDataPollingTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: stored,
	};
	const { properties } = description();
	return (
		NodeHelpers.getNodeParameters(properties, stored, withDefaults, false, node, description()) ??
		{}
	);
}

describe('the poll times of the polling trigger', () => {
	it('are once a day in a new node', () => {
		expect(parametersOf({ query: 'tides' }, true).pollTimes).toEqual(daily);
	});

	it('are saved where they are once a day, so that no other default changes them', () => {
		const saved = parametersOf(parametersOf({}, true), false);
		expect(saved.pollTimes).toEqual({ item: [{ hour: 9 }] });
		expect(parametersOf(saved, true).pollTimes).toEqual(daily);
	});

	it('are one field among the parameters, n8n’s own', () => {
		const fields = description().properties.filter(({ name }) => name === 'pollTimes');
		expect(fields.map(({ isNodeSetting = false }) => isNodeSetting)).toEqual([false, true]);
	});
});
