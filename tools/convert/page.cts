import { convert } from './convert.cjs';
import { stepsAfter, summaryOf, type Row } from './report.cjs';
import { InputError, parseWorkflow } from './workflow.cjs';

function element<Type extends HTMLElement>(id: string, type: new () => Type): Type {
	const found = document.getElementById(id);
	if (!(found instanceof type)) throw new Error(`The page has no ${id}`);
	return found;
}

const input = element('input', HTMLTextAreaElement);
const hosts = element('hosts', HTMLInputElement);
const output = element('output', HTMLTextAreaElement);
const message = element('message', HTMLElement);
const result = element('result', HTMLElement);
const rows = element('rows', HTMLElement);
const steps = element('steps', HTMLElement);
const nextSteps = element('next', HTMLElement);
const copy = element('copy', HTMLButtonElement);

const states: Record<Row['state'], string> = {
	whole: 'converted',
	part: 'converted in part',
	kept: 'not converted',
};

function made(tag: string, text: string): HTMLElement {
	const found = document.createElement(tag);
	found.textContent = text;
	return found;
}

/** What became of a node, why, and what to mind. */
function rowOf({ node, before, after, state, reasons, notes }: Row): HTMLElement {
	const row = document.createElement('li');
	row.className = state;
	const list = document.createElement('ul');
	list.append(...[...reasons, ...notes].map((text) => made('li', text)));
	row.append(made('strong', `${node}: ${states[state]}`), made('p', `${before} → ${after}`), list);
	return row;
}

/** Converts what was pasted, and shows the result or why there is none. */
function run(): void {
	result.hidden = true;
	try {
		const named = hosts.value.split(',').map((host) => host.trim());
		const own = named.filter((host) => host !== '');
		const { workflow, report } = convert(parseWorkflow(input.value), { hosts: own });
		rows.replaceChildren(...report.rows.map(rowOf));
		const next = stepsAfter(report).map((step) => made('li', step));
		steps.replaceChildren(...next);
		nextSteps.hidden = next.length === 0;
		copy.textContent = 'Copy';
		output.value = JSON.stringify(workflow, null, 2);
		message.textContent = summaryOf(report);
		message.className = '';
		result.hidden = false;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		message.textContent = error.message;
		message.className = 'error';
	}
}

/** Copies the result; without the right to, it selects it for Ctrl+C. */
async function copyResult(): Promise<void> {
	try {
		await navigator.clipboard.writeText(output.value);
		copy.textContent = 'Copied';
	} catch {
		output.focus();
		output.select();
		copy.textContent = 'Selected: press Ctrl+C';
	}
}

element('convert', HTMLButtonElement).addEventListener('click', run);
// A result never stands below another workflow.
input.addEventListener('input', run);
hosts.addEventListener('input', run);
copy.addEventListener('click', () => void copyResult());
