/** A page as it was read: a field for each format that was asked for. */
export interface Document {
	markdown?: string | null;
	rawHtml?: string;
	warning?: string;
	links?: string[];
	images?: string[];
	json?: unknown;
	actions?: ActionResults;
	tools?: unknown[];
	metadata: Metadata;
	[format: string]: unknown;
}

/** What is read of a page's metadata; any meta tag of the page may be a further one. */
export interface Metadata {
	title?: string;
	sourceURL: string;
	url: string;
	statusCode: number;
	error?: string;
	scrapeId?: string;
	creditsUsed?: number;
	[meta: string]: unknown;
}

/** What the actions left behind, each kind in the order of the actions. */
export interface ActionResults {
	screenshots: string[];
	scrapes: Array<{ url: string; html: string }>;
	javascriptReturns: Array<{ type: string; value: unknown }>;
	pdfs: string[];
}
