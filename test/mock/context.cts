import { Site } from './site/site.cjs';
import { Agents } from './agents.cjs';
import { Clock } from './clock.cjs';
import { Faults } from './faults.cjs';
import { Limits } from './limits.cjs';
import { Monitors } from './monitors.cjs';
import { PageJobs } from './pageJobs.cjs';
import { Ledger, RequestLog } from './requestLog.cjs';
import { type Scrape, Scraper } from './scrape/scraper.cjs';
import { SearchIndex } from './search/search.cjs';
import { Sessions } from './endpoints/sessions.cjs';
import { SignedFiles } from './scrape/formats.cjs';
import { Teams } from './teams.cjs';
import { ToolCatalogue } from './tools.cjs';
import { Webhooks } from './webhooks.cjs';

export interface ServiceOptions {
	port?: number;
	/** `false`: like a self-hosted server, any key or none is accepted and nothing is limited. */
	authentication?: boolean;
	/** Speaks TLS alone, by this key and certificate. */
	tls?: { key: string; cert: string };
}

interface Clearable {
	clear(): void;
}

const isClearable = (part: unknown): part is Clearable =>
	typeof Reflect.get(Object(part), 'clear') === 'function';

/** What endpoints work with. One per service. */
export class Context {
	/** Base URL of the service, once it listens. */
	url = '';
	readonly authentication: boolean;
	readonly clock = new Clock();
	readonly teams = new Teams();
	readonly ledger = new Ledger(this.clock);
	readonly limits = new Limits(this.clock);
	readonly log = new RequestLog();
	readonly faults = new Faults();
	/** Scrapes that can be read again, by their ID. */
	readonly scrapes = new Map<string, Scrape>();
	readonly files = new SignedFiles(() => this.url);
	readonly agents = new Agents(this);
	readonly pageJobs = new PageJobs(this);
	readonly sessions = new Sessions(this);
	readonly webhooks = new Webhooks(this.clock, (teamId) => this.teams.get(teamId).webhookSecret);
	readonly monitors = new Monitors(this);
	readonly tools = new ToolCatalogue();
	readonly site: Site;
	readonly search: SearchIndex;
	readonly scraper: Scraper;

	constructor({ authentication = true }: ServiceOptions) {
		this.authentication = authentication;
		this.site = new Site(new Date(this.clock.now()));
		this.search = new SearchIndex(this.site);
		this.scraper = new Scraper(this);
	}

	/** Back to the state after the start: accounts, pages, nothing remembered; the clock runs. */
	reset(): void {
		this.clock.release();
		this.site.restore();
		for (const part of Object.values(this)) if (isClearable(part)) part.clear();
	}

	close(): void {
		const atWork = [this.agents, this.monitors, this.pageJobs, this.sessions];
		for (const each of [...atWork, this.webhooks]) each.clear();
		this.clock.close();
	}
}
