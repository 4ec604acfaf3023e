/** The library's inner module: its index runs a self-test when it is not required by another module. */
declare module 'pdf-parse/lib/pdf-parse.js' {
	interface Page {
		getTextContent(): Promise<{ items: Array<{ str: string; transform: number[] }> }>;
	}
	export default function pdfParse(
		body: Uint8Array,
		options?: { max?: number; pagerender?: (page: Page) => Promise<string> },
	): Promise<{ numpages: number; text: string; info?: { Title?: string } }>;
}
