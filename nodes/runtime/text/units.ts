import { eachInTurns } from '../host/turns';
import { fenceLength, splitParagraph, type Block } from './blocks';

/** The smallest part of a page that is ranked: small neighbouring blocks, or a part of a long one. */
export interface Unit extends Block {
	/** The text between it and the unit before it. */
	joint: string;
	/** Number of its section: units below the same headings, or rows of a table. */
	section: number;
}

/** Characters of a unit: blocks are joined up to the least, and paragraphs split above the most. */
const least = 150;
const most = 300;

const isSplit = ({ text, tableHead }: Block): boolean =>
	text.length > most && tableHead === undefined && fenceLength(text) === 0;

/** Characters processed in the time that a block takes without its text. */
const workPerBlock = 20;

/** Joins small blocks of a section, and splits long paragraphs. */
export async function unitsOf(blocks: readonly Block[]): Promise<Unit[]> {
	const units: Unit[] = [];
	let section = -1;
	let before: Block | undefined;
	await eachInTurns(blocks, (block) => {
		const { headings, tableHead } = block;
		if (before?.headings !== headings || before.tableHead !== tableHead) section += 1;
		before = block;
		const parts = isSplit(block) ? splitParagraph(block.text, most) : [block.text];
		for (const [place, text] of parts.entries()) {
			const joint = place > 0 ? '' : tableHead === undefined ? '\n\n' : '\n';
			const last = units.at(-1);
			const fits = last && last.text.length < least && last.text.length + text.length <= most;
			if (fits && last.section === section) last.text += joint + text;
			else units.push({ ...block, text, joint, section });
		}
		return block.text.length + workPerBlock;
	});
	return units;
}
