import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
	chromium,
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	type Page,
} from 'playwright-core';
import { projectRoot } from '../root.cjs';
import { owner } from './editorApi.cjs';
import type { RealN8n } from './n8n.cjs';
import { surroundings } from './surroundings.cjs';
import { boxOf, byId, NodePanel, whole, type Box } from './nodePanel.cjs';
import { until } from './until.cjs';

/** Where pictures of the editor are kept. */
const pictures = join(projectRoot, '.build/n8n/screenshots');

/** For things that the editor does on a machine that may be busy. Milliseconds. */
const patience = 60_000;

const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Actions that the node creator lists under one heading. */
export interface ActionGroup {
	heading: string;
	actions: string[];
}

/** Counts in a page how often the mouse is pressed: at the document, since Playwright stops its vain presses at the window. */
function countPresses(): void {
	Reflect.set(window, 'timesPressed', 0);
	const count = () => Reflect.set(window, 'timesPressed', Reflect.get(window, 'timesPressed') + 1);
	document.addEventListener('pointerdown', count, { capture: true });
}

/** n8n's editor in a browser, with the owner logged in. */
export class Editor {
	private constructor(
		private readonly browser: Browser,
		private readonly context: BrowserContext,
		private readonly url: string,
	) {}

	static async open({ server }: RealN8n, look: BrowserContextOptions = {}): Promise<Editor> {
		const { chromium: executablePath } = surroundings();
		const browser = await chromium.launch({
			executablePath,
			args: flags,
			// The browser ends with the tests; they must not outlive a signal for its sake.
			handleSIGHUP: false,
			handleSIGINT: false,
			handleSIGTERM: false,
		});
		const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...look });
		context.setDefaultTimeout(patience);
		const page = await context.newPage();
		await page.goto(`${server.url}/signin`);
		await page.fill('input[name=emailOrLdapLoginId]', owner.email);
		await page.fill('input[name=password]', owner.password);
		await page.click(byId('form-submit-button'));
		await page.waitForURL(/\/(home|workflow)/);
		await page.close();
		return new Editor(browser, context, server.url);
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	/** Opens a workflow in a tab of its own. */
	async workflow(id: string): Promise<WorkflowTab> {
		const page = await this.context.newPage();
		await page.addInitScript(countPresses);
		const tab = new WorkflowTab(page);
		// By it n8n tells the editor what becomes of an execution.
		const push = page.waitForEvent('websocket', (socket) => socket.url().includes('/rest/push'));
		await page.goto(`${this.url}/workflow/${id}`);
		await push;
		const empty = page.locator(byId('canvas-plus-button'));
		await page.locator(byId('canvas-node')).or(empty).first().waitFor();
		return tab;
	}

	/** Keeps pictures of the tabs that a test has left open, as one does that fails, and closes them. */
	async closeWhatIsOpen(test: string): Promise<void> {
		mkdirSync(pictures, { recursive: true });
		for (const [index, page] of this.context.pages().entries()) {
			const name = `failed-${test.replaceAll(/\W+/g, '-')}-${index}`;
			await page.screenshot({ path: join(pictures, `${name}.png`) });
			await page.close();
		}
	}
}

/** An editor for the tests of a file; what a failed test left open is pictured and closed. */
export function useEditor(
	real: { readonly n8n: RealN8n },
	look?: BrowserContextOptions,
): { readonly editor: Editor } {
	let opened: Editor | undefined;
	const editor = () => {
		if (!opened) throw new Error('The editor was not opened');
		return opened;
	};
	beforeAll(async () => {
		opened = await Editor.open(real.n8n, look);
	});
	afterEach(
		async () => await editor().closeWhatIsOpen(expect.getState().currentTestName ?? 'a test'),
	);
	afterAll(async () => await opened?.close());
	return {
		get editor() {
			return editor();
		},
	};
}

/** A workflow that is open in the editor. */
export class WorkflowTab {
	/** What the browser's console and the page's scripts complained of. */
	readonly complaints: string[] = [];

	constructor(readonly page: Page) {
		page.on('pageerror', ({ message }) => this.complaints.push(message));
		page.on('console', (message) => {
			if (message.type() === 'error') this.complaints.push(message.text());
		});
	}

	async close(): Promise<void> {
		await this.page.close();
	}

	/** Opens the panel of a node. */
	async openNode(name: string): Promise<NodePanel> {
		await this.page.locator(`${byId('canvas-node')}[data-node-name="${name}"]`).dblclick();
		return await this.openedPanel();
	}

	/** The names of the nodes that the node creator finds. */
	async findNodes(words: string): Promise<string[]> {
		const search = this.page.locator(byId('node-creator-search-bar'));
		if (!(await search.isVisible())) {
			await this.page.click(byId('node-creator-plus-button'));
		}
		const names = this.page.locator(byId('node-creator-item-name'));
		const unsearched = names.filter({ hasText: 'Add another trigger' });
		await search.fill('');
		await unsearched.waitFor();
		await search.fill(words);
		await unsearched.waitFor({ state: 'detached' });
		return (await names.allTextContents()).map((name) => name.trim());
	}

	/** Opens the node creator by the + behind a node. */
	async addBehind(node: string): Promise<void> {
		await this.page.locator(`${byId('canvas-node')}[data-node-name="${node}"]`).waitFor();
		// Only an output without a connection has one: that of the last node.
		await this.page
			.locator(`${byId('canvas-node-output-handle')}[data-node-name="${node}"]`)
			.locator(byId('canvas-handle-plus'))
			.click();
		await this.creatorOpens();
	}

	/** Opens the node creator by the + of an empty canvas. */
	async addFirst(): Promise<void> {
		await this.page.locator(byId('canvas-plus-button')).click();
		await this.creatorOpens();
	}

	/** Opens the node creator by a + below a node, such as that of an AI Agent's tools. */
	async addBelow(node: string, connection: `ai_${string}`): Promise<void> {
		const handle = `${byId('canvas-node-input-handle')}[data-node-name="${node}"][data-connection-type="${connection}"]`;
		await this.page.locator(`${handle} ${byId('canvas-handle-plus')}`).click();
		// There is one document loader, and so nothing to search.
		if (connection !== 'ai_document') await this.creatorOpens();
	}

	private async creatorOpens(): Promise<void> {
		// It has the keyboard only once its panel has slid in; a letter typed before that is lost.
		await this.page.locator(byId('node-creator-item-name')).first().waitFor();
		await this.page.locator(`${byId('node-creator-search-bar')}:focus`).waitFor();
	}

	/** Types words into the node creator, which has the keyboard, and waits for what it finds. */
	async search(words: string, found = 'Web Data'): Promise<void> {
		const names = this.page.locator(byId('node-creator-item-name'));
		await this.page.keyboard.type(words);
		await names
			.first()
			.filter({ hasText: whole(found) })
			.waitFor();
	}

	/** Chooses an action of the node that is shown in the node creator; the new node's panel opens. */
	async chooseAction(action: string): Promise<NodePanel> {
		const actions = this.page.locator('[data-keyboard-nav-type="action"]');
		await actions.filter({ hasText: whole(action) }).click();
		return await this.openedPanel();
	}

	/** Opens the panel of the node that the creator adds, by this action if it lists actions. */
	async addedPanel(action: string): Promise<NodePanel> {
		const actions = this.page.locator('[data-keyboard-nav-type="action"]');
		const panel = this.page.locator(byId('ndv'));
		await actions.first().or(panel).first().waitFor();
		return (await panel.isVisible()) ? await this.openedPanel() : await this.chooseAction(action);
	}

	/** How often the mouse was pressed in this tab. */
	async clicks(): Promise<number> {
		return await this.page.evaluate(() => Number(Reflect.get(window, 'timesPressed')));
	}

	/** The panel that is open. */
	async openedPanel(): Promise<NodePanel> {
		const panel = this.page.locator(byId('ndv'));
		await panel.waitFor();
		await panel.locator(byId('node-parameters')).waitFor();
		return new NodePanel(this.page, panel);
	}

	/** The actions that the node creator lists of a node, under their headings, in its order. */
	async listActions(node: string): Promise<ActionGroup[]> {
		await this.findNodes(node);
		const names = this.page.locator(byId('node-creator-item-name'));
		await names.filter({ hasText: whole(node) }).click();
		const title = this.page.getByText(/^Actions \(\d+\)$/);
		const count = Number((await title.innerText()).replace(/\D/g, ''));
		const list = this.page.locator('[data-category-collapsed]').filter({ has: title });
		const rows = list.locator(byId('item-iterator-item'));
		// The editor draws a long list in several steps.
		await list
			.locator('[data-keyboard-nav-type="action"]')
			.nth(count - 1)
			.waitFor();
		const groups: ActionGroup[] = [];
		for (const row of await rows.all()) {
			const text = ((await row.textContent()) ?? '').trim();
			const isAction = (await row.getAttribute('data-keyboard-nav-type')) === 'action';
			if (isAction) groups.at(-1)?.actions.push(text);
			else groups.push({ heading: text, actions: [] });
		}
		return groups;
	}

	/** Saves the workflow by the keyboard. */
	async save(): Promise<void> {
		const saved = this.page.waitForResponse(
			(response) => response.request().method() === 'PATCH' && response.ok(),
		);
		await this.page.keyboard.press('ControlOrMeta+S');
		await saved;
	}

	/** Keeps a picture of all of the workflow. */
	async pictureOfAll(name: string): Promise<void> {
		await this.page.setViewportSize({ width: 1680, height: 900 });
		await this.page.click(byId('zoom-to-fit'));
		const notes = this.page.locator('[data-node-type="n8n-nodes-base.stickyNote"]');
		let last = '';
		const boxes = await until('the canvas to come to rest', async () => {
			const found = await Promise.all((await notes.all()).map(boxOf));
			const before = last;
			last = JSON.stringify(found);
			return last === before ? found : undefined;
		});
		await this.picture(name, frame(boxes));
	}

	/** Keeps a picture of what is shown, or of a part of it, without the notes that come and go. */
	async picture(name: string, clip?: Box): Promise<void> {
		const notes = this.page.locator('.el-notification__closeBtn');
		while ((await notes.count()) > 0) {
			// Not by the mouse, whose presses are counted.
			await notes.first().dispatchEvent('click');
			await notes.first().waitFor({ state: 'detached' });
		}
		const path = join(pictures, `${name.replaceAll(' ', '-')}.png`);
		mkdirSync(dirname(path), { recursive: true });
		await this.page.screenshot({ path, ...(clip && { clip }) });
	}
}

/** What surrounds boxes, with a margin. */
function frame(boxes: Box[], margin = 12): Box {
	const left = Math.min(...boxes.map(({ x }) => x)) - margin;
	const top = Math.min(...boxes.map(({ y }) => y)) - margin;
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + margin;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + margin;
	return { x: left, y: top, width: right - left, height: bottom - top };
}
