import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Where the demo shows what it does. */
export class Screen {
	constructor(
		private readonly print: (line: string) => void,
		private readonly printError: (line: string) => void,
		/** In characters. */
		readonly width: number,
		private readonly hasColors: boolean,
	) {}

	/** The terminal that this process was started in, or the file that its output goes to. */
	static ofProcess(): Screen {
		const { columns = 120, isTTY } = process.stdout;
		return new Screen(console.log, console.error, columns, isTTY && process.stdout.hasColors());
	}

	/** The text in that style where colours are shown. */
	styled(style: Style, text: string): string {
		return this.hasColors ? styleText(style, text) : text;
	}

	/** Shows lines, indented as the steps of `npm start` are. */
	say(text = ''): void {
		this.print(text && text.replace(/^/gm, '   '));
	}

	/** Shows what went wrong, and what to do about it where that is known. */
	showError({ message, description }: { message: string; description?: string | null }): void {
		this.printError(`\n${this.styled('red', `✖ ${message}`)}`);
		if (description && description !== message) this.printError(`  ${description}`);
	}
}
