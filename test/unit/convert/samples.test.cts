import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { convert } from '../../../tools/convert/convert.cjs';
import { defined } from '../../../tools/convert/json.cjs';
import { officialOperations } from '../../../tools/convert/official.cjs';
import { summaryOf } from '../../../tools/convert/report.cjs';
import { builtNode } from '../../builtNode.cjs';
import { samples } from './samples.cjs';

const { description } = builtNode('WebData');
const ours = 'n8n-nodes-web-data.webData';
const names = Object.keys(samples);

describe('A workflow of another pack', () => {
	it('has every operation of the official package', () => {
		const used = names.flatMap((name) =>
			samples[name].workflow.nodes.map(({ parameters }) => parameters.operation),
		);

		expect(officialOperations.filter((operation) => !used.includes(operation))).toEqual([]);
	});

	it.each(names)('is run before and after, or says why not: %s', (name) => {
		const { reads, notRun, operations } = samples[name];

		const isNothing = operations.length === 0;
		expect([reads !== undefined, notRun !== undefined, isNothing].filter(Boolean)).toEqual([true]);
	});

	it.each(names)('converts as expected: %s', (name) => {
		const { workflow, converts, operations } = samples[name];

		const { workflow: result, report } = convert(workflow);

		const converted = result.nodes.filter(({ type }) => type.startsWith(ours));
		const used = converted.map(
			({ parameters }) => `${parameters.resource}.${parameters.operation}`,
		);
		expect([summaryOf(report), used.sort()]).toEqual([expect.any(String), operations]);
		const states = new Set(report.rows.map(({ state }) => state));
		const hints = report.rows.some(({ notes }) => notes.some((note) => /by itself: /.test(note)));
		const state = states.has('kept') ? 'kept' : states.has('part') || hints ? 'part' : 'whole';
		const reasons = report.rows.flatMap((row) => [...row.reasons, ...row.notes]).join(' ');
		expect(`${state}: ${reasons}`).toMatch(new RegExp(`^${converts}: `));
	});

	it.each(names)('gives nodes that n8n finds complete: %s', (name) => {
		const { workflow } = convert(samples[name].workflow);

		for (const node of workflow.nodes.filter(({ type }) => type.startsWith(ours))) {
			const stored: INode = {
				id: String(node.id),
				name: node.name,
				type: node.type,
				typeVersion: 1,
				position: node.position,
				parameters: node.parameters as INodeParameters,
			};
			const isTool = node.type.endsWith('Tool');
			const own = isTool ? { ...description, name: `${description.name}Tool` } : description;
			const issues = NodeHelpers.getNodeParametersIssues(own.properties, stored, own);
			expect([node.name, issues]).toEqual([node.name, null]);
			// What the node does not have, or does not show with the other parameters, is left out.
			const { properties } = own;
			expect(
				NodeHelpers.getNodeParameters(properties, stored.parameters, true, false, stored, own),
			).toMatchObject(stored.parameters);
		}
	});

	it.each(names)('keeps names, ids, places and settings: %s', (name) => {
		const { workflow } = samples[name];

		const { workflow: result } = convert(workflow);

		for (const node of result.nodes.filter(({ type }) => type.startsWith(ours))) {
			const before = workflow.nodes.find((each) => each.name === node.name);
			const { id, name, position, notes, onError, retryOnFail } = before ?? workflow.nodes[0];
			expect(node).toMatchObject({ id, name, position });
			expect(node).toEqual(expect.objectContaining(defined({ notes, onError, retryOnFail })));
			expect(node).not.toHaveProperty('credentials');
		}
		expect(result.pinData).toEqual(workflow.pinData);
	});
});
