import type { Locator, Page } from 'playwright-core';
import { until } from './until.cjs';

/** The selector of a part of the editor. */
export const byId = (id: string): string => `[data-test-id="${id}"]`;

/** The whole text, not a part of it. */
export const whole = (text: string): RegExp =>
	new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);

/** What was written into the field of a parameter. */
interface Written {
	parameter: string;
	text: string;
}

/** Tells in a page of the editor whether its workflow has what was written. */
function workflowHas({ parameter, text }: Written): boolean {
	const app: unknown = Reflect.get(document.querySelector('#app') ?? {}, '__vue_app__');
	const stores: unknown = Object(app).config?.globalProperties?.$pinia?.state?.value;
	const written = JSON.stringify(text).slice(1, -1);
	let found = false;
	for (const [name, store] of Object.entries(Object(stores))) {
		if (!name.startsWith('workflow')) continue;
		JSON.stringify(store, (key, value: unknown) => {
			found ||= key === parameter && JSON.stringify(value).includes(written);
			return value;
		});
	}
	return found;
}

/** Place and size of a part of the page. */
export type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** Place and size of a part that is shown. */
export async function boxOf(locator: Locator): Promise<Box> {
	const box = await locator.boundingBox();
	if (!box) throw new Error('This is not shown on the canvas');
	return box;
}

/** A node's panel, with its input on the left and its output on the right. */
export class NodePanel {
	constructor(
		private readonly page: Page,
		private readonly panel: Locator,
	) {}

	/** The field of a parameter. */
	field(parameter: string): Locator {
		return this.panel.locator(
			[byId(`parameter-input-${parameter}`), byId(`fixed-collection-${parameter}`)].join(','),
		);
	}

	/** Chooses an option by its name. */
	async choose(parameter: string, option: string): Promise<void> {
		// n8n nests a field of poll times in one of the same name.
		await this.field(parameter).first().click();
		await this.option(option).click();
	}

	/** An option of the list that is open, by its name. */
	private option(name: string): Locator {
		const options = this.page.locator('.el-select-dropdown__item:visible');
		return options.filter({ has: this.page.getByText(whole(name)) });
	}

	/** Clicks into a field of text or of a number, types and leaves it. */
	async type(parameter: string, text: string): Promise<void> {
		await this.field(parameter).locator('input, textarea').first().click();
		await this.page.keyboard.insertText(text);
		await this.leave();
		await this.kept({ parameter, text });
	}

	/** Drags a field of the input into a parameter. */
	async drop(field: string, parameter: string): Promise<void> {
		const input = this.panel.locator(byId('ndv-input-panel'));
		await input.locator(byId('run-data-schema-item')).getByText(field, { exact: true }).hover();
		await this.page.mouse.down();
		const { x, y, width, height } = await boxOf(this.field(parameter));
		await this.page.mouse.move(x + width / 2, y + height / 2, { steps: 10 });
		await this.page.mouse.up();
		await this.kept({ parameter, text: `$json.${field}` });
		// The preview of the expression lies over what is below it.
		await this.panel.getByText('Parameters', { exact: true }).click();
	}

	/** Resolves when the workflow has what was written, which the editor takes from a field only after a moment. */
	private async kept(written: Written): Promise<void> {
		await this.page.waitForFunction(workflowHas, written);
	}

	/** Adds a field from the menu of a collection, which is known by the words that it shows. */
	async add(menu: string, field: string): Promise<void> {
		await this.panel.locator(`input[placeholder="${menu}"]`).click();
		await this.option(field).click();
		await this.option(field).waitFor({ state: 'hidden' });
	}

	/** Adds an entry by the button of a list. */
	async addEntry(button: string): Promise<void> {
		await this.panel.getByRole('button', { name: button, exact: true }).click();
	}

	/** Closes the panel. */
	async close(): Promise<void> {
		await this.panel.locator(byId('ndv-close-button')).click();
		await this.panel.waitFor({ state: 'detached' });
	}

	/** Leaves a field or a list of choices by the keyboard. */
	async leave(): Promise<void> {
		await this.page.keyboard.press('Tab');
	}

	/** Clicks into a field of code and replaces what is in it. */
	async write(parameter: string, code: string): Promise<void> {
		await this.field(parameter).locator('.cm-content').click();
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.press('Delete');
		await this.page.keyboard.insertText(code);
		await this.kept({ parameter, text: code });
	}

	async toggle(parameter: string): Promise<void> {
		await this.field(parameter).locator('.el-switch').click();
	}

	/** Resolves when the field is shown. */
	async shows(parameter: string): Promise<void> {
		await this.field(parameter).first().waitFor();
	}

	/** Resolves when the field is not shown. */
	async hides(parameter: string): Promise<void> {
		await this.field(parameter).first().waitFor({ state: 'detached' });
	}

	/** Executes the node and those before it by its button. */
	async execute(): Promise<void> {
		const taken = this.page.waitForResponse(
			(response) => new URL(response.url()).pathname.endsWith('/run') && response.ok(),
		);
		await this.panel.locator(byId('node-execute-button')).click();
		await taken;
	}

	private get output(): Locator {
		return this.panel.locator(byId('output-panel'));
	}

	/** The output's table: its head and its rows. */
	async table(): Promise<{ head: string[]; rows: number }> {
		const table = this.output.locator('table').first();
		await this.show('table', table.locator('tbody tr').first());
		const head = await table.locator('thead th').allTextContents();
		return {
			head: head.map((text) => text.trim()).filter((text) => text !== ''),
			rows: await table.locator('tbody tr').count(),
		};
	}

	/** Shows the output's fields, each with its first value. */
	async schema(): Promise<void> {
		// Fields out of sight are in the page, too, hidden.
		const field = this.output.locator(`${byId('run-data-schema-item')}:visible`);
		await this.show('schema', field.first());
	}

	/** Resolves when a sentence is shown anywhere in the panel. */
	async says(sentence: string): Promise<void> {
		await this.panel.getByText(sentence).first().waitFor();
	}

	/** The fields that the input offers of the nodes before, known before these have run; those in sight. */
	async offeredFields(): Promise<string[]> {
		const fields = this.panel.locator(`${byId('ndv-input-panel')} ${byId('run-data-schema-item')}`);
		await fields.first().waitFor();
		return (await fields.allInnerTexts()).map((text) => text.trim().split(/\s/)[0]);
	}

	/** Chooses how the output is shown until a part of it is seen, since n8n can lose a choice. @throws with what the panel shows instead */
	private async show(mode: 'table' | 'json' | 'schema', part: Locator): Promise<void> {
		const choice = this.output.locator(byId(`radio-button-${mode}`));
		try {
			await until(`the output as ${mode}`, async () => {
				await choice.click();
				return await part.waitFor({ timeout: 5_000 }).then(
					() => true,
					() => undefined,
				);
			});
		} catch (cause) {
			const shown = await this.output.innerText();
			throw new Error(`No output is shown as ${mode}, but: ${shown}`, { cause });
		}
	}
}
