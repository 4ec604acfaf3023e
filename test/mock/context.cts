import { type Bulk, examplePagesFolder, Site } from './site/site.cjs';
import { Activity } from './activity.cjs';
import { Agents, type Behaviour } from './agents.cjs';
import { Clock } from './clock.cjs';
import { Faults } from './faults.cjs';
import { Limits } from './limits.cjs';
import { Monitors } from './monitors.cjs';
import { type Pace, PageJobs } from './pageJobs.cjs';
import { Ledger, RequestLog } from './requestLog.cjs';
import { LargeDocuments, ScrapeJobs, Scraper } from './scrape/scraper.cjs';
import { SearchIndex } from './search/search.cjs';
import { Sessions } from './endpoints/sessions.cjs';
import { SignedFiles } from './scrape/formats.cjs';
import { Teams } from './teams.cjs';
import { ToolCatalogue, ToolRuns } from './tools.cjs';
import { Webhooks } from './webhooks.cjs';

/** The switches that tests may turn while the service runs. */
export interface Switches {
	/** `false`: like a self-hosted server, any key or none is accepted and nothing is limited. */
	authentication: boolean;
}

export interface ServiceOptions extends Partial<Switches> {
	port?: number;
	agent?: Partial<Behaviour>;
	pages?: Partial<Pace>;
	/** The generated pages of `bulk.example`; without them the host does not exist. */
	bulk?: Bulk;
	/** Whether the hosts that the example workflows name exist. */
	examplePages?: boolean;
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
	readonly options: Switches;
	readonly clock = new Clock();
	readonly teams = new Teams();
	readonly ledger = new Ledger(this.clock);
	readonly limits = new Limits(this.clock);
	readonly log = new RequestLog();
	readonly activity = new Activity(this.clock);
	readonly faults = new Faults();
	readonly jobs = new ScrapeJobs(this.clock);
	readonly files = new SignedFiles(this.clock, () => this.url);
	readonly sessions = new Sessions(this.clock, this.ledger);
	readonly largeDocuments = new LargeDocuments(this.clock);
	readonly webhooks = new Webhooks(this.clock, (teamId) => this.teams.get(teamId).webhookSecret);
	readonly monitors = new Monitors(this);
	readonly tools = new ToolCatalogue();
	readonly toolRuns = new ToolRuns(this.clock);
	readonly site: Site;
	readonly search: SearchIndex;
	readonly scraper: Scraper;
	readonly agents: Agents;
	readonly pageJobs: PageJobs;
	/** The switches as they were at the start, for the reset. */
	private readonly initial: { options: Switches; bulk: Bulk };

	constructor({ agent, pages, bulk, examplePages, ...options }: ServiceOptions) {
		const { authentication = true } = options;
		this.options = { authentication };
		this.site = new Site(
			new Date(this.clock.now()),
			bulk,
			examplePages ? [examplePagesFolder] : [],
		);
		this.initial = { options: { ...this.options }, bulk: { ...this.site.bulk } };
		this.search = new SearchIndex(this.site);
		this.scraper = new Scraper(this);
		this.agents = new Agents(this, agent);
		this.pageJobs = new PageJobs(this, pages);
	}

	/** Back to the state after the start: accounts, switches, pages, nothing remembered; the clock runs. */
	reset(): void {
		this.clock.release();
		Object.assign(this.options, this.initial.options);
		this.site.restore();
		Object.assign(this.site.bulk, this.initial.bulk);
		for (const part of Object.values(this)) if (isClearable(part)) part.clear();
	}

	close(): void {
		const atWork = [this.agents, this.monitors, this.pageJobs, this.sessions];
		for (const each of [...atWork, this.webhooks]) each.clear();
		this.clock.close();
	}
}
