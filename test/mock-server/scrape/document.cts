export interface Document {
	markdown?: string | null;
	html?: string;
	rawHtml?: string;
	rawBase64?: string;
	summary?: string;
	answer?: string;
	highlights?: string;
	warning?: string;
	links?: string[];
	images?: string[];
	json?: unknown;
	screenshot?: string;
	audio?: string;
	video?: string;
	attributes?: Array<{ selector: string; attribute: string; values: string[] }>;
	branding?: Record<string, unknown>;
	product?: Record<string, unknown>;
	menu?: Record<string, unknown>;
	pages?: Array<{ pageNumber: number; markdown: string }>;
	blocks?: unknown[];
	actions?: ActionResults;
	changeTracking?: Record<string, unknown>;
	tools?: unknown[];
	metadata: Metadata;
}

/** The public API reference's fields; any meta tag of the page may be a further one. */
export interface Metadata {
	title?: string;
	description?: string;
	sourceURL: string;
	url: string;
	statusCode: number;
	numPages?: number;
	totalPages?: number;
	error?: string;
	scrapeId?: string;
	contentType?: string;
	proxyUsed?: 'basic' | 'stealth';
	cacheState?: 'hit' | 'miss';
	cachedAt?: string;
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
