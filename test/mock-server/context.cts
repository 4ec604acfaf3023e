import type { Bulk, Site } from '../site/site.cjs';
import type { Activity } from './activity.cjs';
import type { Agents } from './agent/agents.cjs';
import type { Behaviour } from './agent/job.cjs';
import type { Clock } from './clock.cjs';
import type { DeveloperIndex } from './developer.cjs';
import type { Faults } from './faults.cjs';
import type { Feedback } from './feedback.cjs';
import type { Keyless, KeylessCaps } from './keyless.cjs';
import type { Ledger } from './ledger.cjs';
import type { Limits } from './limits.cjs';
import type { Pace } from './pageJobs/pace.cjs';
import type { PageJobs } from './pageJobs/pageJobs.cjs';
import type { Monitors } from './monitor/monitors.cjs';
import type { GovernmentIndex, Papers } from './papers.cjs';
import type { Uploads } from './parse/uploads.cjs';
import type { RequestLog } from './requestLog.cjs';
import type { ContinuingScrapes } from './scrape/continuing.cjs';
import type { ScrapeJobs } from './scrape/jobs.cjs';
import type { Scraper } from './scrape/scraper.cjs';
import type { ServerProfile } from './servers.cjs';
import type { SearchIndex } from './search/index.cjs';
import type { Sessions } from './sessions/sessions.cjs';
import type { SignedFiles } from './signedFiles.cjs';
import type { Teams } from './teams.cjs';
import type { ThreatScanner } from './threats.cjs';
import type { ToolRuns } from './toolCalls/runs.cjs';
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
	agent?: Partial<Behaviour>;
	/** How batch and crawl jobs go, e.g. how long their pages take. */
	pages?: Partial<Pace>;
	/** The generated pages of `bulk.example`; without them the host does not exist. */
	bulk?: Bulk;
	/** Host and port that `next` of batch and crawl jobs names in place of the service's own. */
	nextHost?: string;
	/** `strings`: the links of a map as older servers answer them. */
	mapLinks?: 'objects' | 'strings';
	/** How old the server is, and whose; the newest hosted one when left out. */
	server?: ServerProfile;
}

/** `records`: `data.research` since 2026-11-16. `web`: academic web pages and a `warnings` entry. */
export type ResearchMode = 'records' | 'web' | 'by date';

/** The switches that tests may turn while the service runs. */
export interface Switches {
	authentication: boolean;
	research: ResearchMode;
	/** Daily caps of the free tier without a key; undefined: a missing key is 401. */
	keyless: KeylessCaps | undefined;
	/** Host and port that `next` of batch and crawl jobs names; undefined: the service's own. */
	nextHost: string | undefined;
	mapLinks: 'objects' | 'strings';
	server: ServerProfile | undefined;
}

/** What endpoints work with. One per service. */
export interface Context {
	options: Switches;
	/** The switches as they were at the start, for the reset. */
	readonly initial: { options: Readonly<Switches>; bulk: Readonly<Bulk> };
	clock: Clock;
	teams: Teams;
	ledger: Ledger;
	limits: Limits;
	keyless: Keyless;
	log: RequestLog;
	activity: Activity;
	feedback: Feedback;
	faults: Faults;
	site: Site;
	search: SearchIndex;
	scraper: Scraper;
	jobs: ScrapeJobs;
	files: SignedFiles;
	uploads: Uploads;
	sessions: Sessions;
	papers: Papers;
	developer: DeveloperIndex;
	government: GovernmentIndex;
	agents: Agents;
	pageJobs: PageJobs;
	continuing: ContinuingScrapes;
	webhooks: Webhooks;
	monitors: Monitors;
	tools: ToolCatalogue;
	toolRuns: ToolRuns;
	threats: ThreatScanner;
	/** Hosts that the service refuses to scrape (403 `UNSUPPORTED_SITE`). */
	unsupportedHosts: Set<string>;
}
