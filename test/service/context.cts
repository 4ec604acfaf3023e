import type { Site, SitePage } from '../site/site.cjs';
import type { Agents } from './agent/agents.cjs';
import type { Behaviour } from './agent/script.cjs';
import type { Clock } from './clock.cjs';
import type { DeveloperIndex } from './developer.cjs';
import type { Faults } from './faults.cjs';
import type { Keyless, KeylessCaps } from './keyless.cjs';
import type { Ledger } from './ledger.cjs';
import type { Limits } from './limits.cjs';
import type { Papers } from './papers.cjs';
import type { RequestLog } from './requestLog.cjs';
import type { ScrapeJobs } from './scrape/jobs.cjs';
import type { Scraper } from './scrape/scraper.cjs';
import type { SearchIndex } from './search/index.cjs';
import type { SignedFiles } from './signedFiles.cjs';
import type { Teams } from './teams.cjs';
import type { ThreatScanner } from './threats.cjs';
import type { ToolCatalogue } from './tools.cjs';
import type { Webhooks } from './webhooks.cjs';

export interface ServiceOptions {
	/** 0 (default): a free one. */
	port?: number;
	/** `false`: like a self-hosted server, any key or none is accepted and nothing is limited. */
	authentication?: boolean;
	/** The free tier without a key, by its daily caps; without it a missing key is 401. */
	keyless?: KeylessCaps | boolean;
	/** How the research category answers; by default what the clock's date says. */
	research?: ResearchMode;
	/** How agent runs go, e.g. how long they take. */
	agent?: Behaviour;
}

/** `records`: `data.research` since 2026-11-16. `web`: academic web pages and a `warnings` entry. */
export type ResearchMode = 'records' | 'web' | 'by date';

/** The switches that tests may turn while the service runs. */
export interface Switches {
	authentication: boolean;
	research: ResearchMode;
	/** Daily caps of the free tier without a key; undefined: a missing key is 401. */
	keyless: KeylessCaps | undefined;
}

/** What endpoints work with. One per service. */
export interface Context {
	options: Switches;
	/** The switches and pages as they were at the start, for the reset. */
	readonly initial: { options: Readonly<Switches>; pages: readonly Readonly<SitePage>[] };
	clock: Clock;
	teams: Teams;
	ledger: Ledger;
	limits: Limits;
	keyless: Keyless;
	log: RequestLog;
	faults: Faults;
	site: Site;
	search: SearchIndex;
	scraper: Scraper;
	jobs: ScrapeJobs;
	files: SignedFiles;
	papers: Papers;
	developer: DeveloperIndex;
	agents: Agents;
	webhooks: Webhooks;
	tools: ToolCatalogue;
	threats: ThreatScanner;
	/** Hosts that the service refuses to scrape (403 `UNSUPPORTED_SITE`). */
	unsupportedHosts: Set<string>;
}
