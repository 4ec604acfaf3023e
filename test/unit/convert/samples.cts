import type { Workflow } from '../../../tools/convert/workflow.cjs';
import {
	code,
	download,
	host,
	http,
	isEqual,
	official,
	other,
	set,
	splitOut,
	wait,
	workflowOf,
} from './build.cjs';

/** A workflow as people build it, and what becomes of it. */
export interface Sample {
	/** Its kind in what was read of public workflows. */
	kind: string;
	workflow: Workflow;
	/** Whether all of its nodes convert whole, some in part, or none. */
	converts: 'whole' | 'part' | 'kept';
	/** The operations of the converted nodes. */
	operations: string[];
	/** What later nodes have to read, before and after: the name of the node whose items are compared. */
	reads?: string;
	/** Why it is not run before and after. */
	notRun?: string;
}

const page = 'https://tidewatch.example/guides/spring-tides';
/** Where nothing responds. */
const unheard = 'http://127.0.0.1:9/';
const nowhere = 'https://nowhere.example/';
const home = 'https://tidewatch.example/';
const scheme = { type: 'object', properties: { title: { type: 'string' } } };
const markdown = { formats: { format: [{ type: 'markdown' }] } };
const json = {
	formats: { format: [{ type: 'json', prompt: 'The title', schema: JSON.stringify(scheme) }] },
};

const scrape = official('Page', { operation: 'scrape', url: page });

/** Start → Wait → status → IF completed, back to Wait. */
const loop = (
	start: ReturnType<typeof official>,
	status: ReturnType<typeof official>,
	state: string,
) =>
	workflowOf(
		[
			start,
			wait(),
			status,
			isEqual('Done?', state, 'completed'),
			// Pages come in the order in which they were finished.
			set('Result', { text: '={{ $json.data.map(({ markdown }) => markdown).sort().join() }}' }),
		],
		[
			'Start > Start job',
			'Start job > Wait',
			'Wait > Status',
			'Status > Done?',
			'Done? > Result',
			'Done?:1 > Wait',
		],
	);

export const samples: Record<string, Sample> = {
	'official scrape, markdown read': {
		kind: 'scrape 1:1',
		workflow: workflowOf([scrape, set('Result', { text: '={{ $json.data.markdown }}' })]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'official scrape, defaults not stored': {
		kind: 'scrape 1:1',
		workflow: workflowOf([
			official('Page', { url: page }),
			set('Result', {
				title: '={{ $json.data.metadata.title }}',
				url: '={{ $json.data.metadata.sourceURL }}',
			}),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'official scrape, JSON read by name': {
		kind: 'scrape 1:1',
		workflow: workflowOf([
			official('Page', { operation: 'scrape', url: page, scrapeOptions: { options: json } }),
			set('Between', { one: '1' }),
			set('Result', {
				title: `={{ $('Page').item.json.data.json.title }}`,
				first: `={{ $node["Page"].json["data"]["json"].title }}`,
			}),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'official scrape, every option': {
		kind: 'scrape 1:1',
		workflow: workflowOf([
			official('Page', {
				operation: 'scrape',
				url: page,
				parsers: ['pdf'],
				scrapeOptions: {
					options: {
						...markdown,
						onlyMainContent: false,
						includeTags: { items: [{ tag: 'article' }, { tag: '.price' }] },
						excludeTags: { items: [{ tag: 'nav' }] },
						waitFor: 10,
						mobile: true,
						skipTlsVerification: false,
						timeout: 40_000,
						actions: {
							items: [
								{ type: 'wait', milliseconds: 20 },
								{ type: 'click', selector: 'h1' },
							],
						},
						location: { settings: { country: 'DE', languages: { language: [{ code: 'de-DE' }] } } },
						removeBase64Images: false,
						blockAds: false,
						storeInCache: false,
						proxy: 'stealth',
					},
				},
			}),
			set('Result', { text: '={{ $json.data.markdown }}' }),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'official scrape, custom body': {
		kind: 'scrape 1:1',
		workflow: workflowOf([
			official('Page', {
				operation: 'scrape',
				url: page,
				useCustomBody: true,
				customBody: JSON.stringify({ url: page, formats: ['links'], onlyMainContent: false }),
			}),
			set('Result', { links: '={{ $json.data.links.length }}' }),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'official scrape, a Code node behind it': {
		kind: 'scrape 1:1',
		workflow: workflowOf([
			scrape,
			code('Result', 'return $input.all().map(({ json }) => ({ json: json.data }))'),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'official scrape, a Code node that reads one field': {
		kind: 'scrape 1:1',
		workflow: workflowOf([
			scrape,
			code(
				'Result',
				'const { length } = $input.first().json.data.markdown;\nreturn [{ json: { length } }]',
			),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'official scrape, pinned, with an error output': {
		kind: 'scrape 1:1',
		workflow: {
			...workflowOf(
				[
					official(
						'Page',
						{ operation: 'scrape', url: page },
						{ onError: 'continueErrorOutput', retryOnFail: true, notes: 'Mind the robots' },
					),
					set('Result', { text: '={{ $json.data.markdown }}' }),
					set('Failed', { why: '={{ $json.error }}' }),
				],
				['Start > Page', 'Page > Result', 'Page:1 > Failed'],
			),
			pinData: { Page: [{ json: { success: true, data: { markdown: '# Pinned' } } }] },
		},
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'official map': {
		kind: 'map',
		workflow: workflowOf([
			official('Map', { resource: 'MapSearch', operation: 'map', url: home, limit: 5 }),
			set('Result', { first: '={{ $json.links[0].url }}' }),
		]),
		converts: 'whole',
		operations: ['map.get'],
		reads: 'Result',
	},
	'official map, links split': {
		kind: 'Split Out',
		workflow: workflowOf([
			official('Map', { resource: 'MapSearch', operation: 'map', url: home, limit: 3 }),
			splitOut('Links', 'links'),
			set('Result', { url: '={{ $json.url }}' }),
		]),
		converts: 'whole',
		operations: ['map.get'],
		reads: 'Result',
	},
	'official 1.x map': {
		kind: 'map',
		workflow: workflowOf([
			official('Map', { resource: 'Default', url: home }),
			set('Result', { first: '={{ $json.links[0].url }}' }),
		]),
		converts: 'whole',
		operations: ['map.get'],
		notRun:
			'Only the newest version of the official package is installed, whose resources have other names.',
	},
	'official search': {
		kind: 'search',
		workflow: workflowOf([
			official('Search', {
				resource: 'MapSearch',
				operation: 'search',
				query: 'spring tide',
				limit: 3,
			}),
			set('Result', { first: '={{ $json.data.web[0].url }}', all: '={{ $json.data.web.length }}' }),
		]),
		converts: 'whole',
		operations: ['search.query'],
		reads: 'Result',
	},
	'official search, results split': {
		kind: 'Split Out',
		workflow: workflowOf([
			official('Search', { resource: 'MapSearch', operation: 'search', query: 'spring tide' }),
			splitOut('Results', 'data.web'),
			set('Result', { url: '={{ $json.url }}', title: '={{ $json.title }}' }),
		]),
		converts: 'whole',
		operations: ['search.query'],
		reads: 'Result',
	},
	'official search as a tool': {
		kind: 'tools of an agent',
		workflow: workflowOf(
			[
				other('AI Agent', '@n8n/n8n-nodes-langchain.agent', {}, 2),
				{
					...official('Search', {
						resource: 'MapSearch',
						operation: 'search',
						query: `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Query', \`\`, 'string') }}`,
						toolDescription: 'Searches the web',
					}),
					type: '@mendable/n8n-nodes-firecrawl.firecrawlTool',
				},
			],
			['Start > AI Agent'],
		),
		converts: 'whole',
		operations: ['search.query'],
		notRun: 'A model calls it.',
	},
	'official scrape as a tool': {
		kind: 'tools of an agent',
		workflow: workflowOf(
			[
				other('AI Agent', '@n8n/n8n-nodes-langchain.agent', {}, 2),
				{
					...official('Page', { url: `={{ $fromAI('URL') }}` }),
					type: '@mendable/n8n-nodes-firecrawl.firecrawlTool',
				},
			],
			['Start > AI Agent'],
		),
		converts: 'whole',
		operations: ['page.scrape'],
		notRun: 'A model calls it.',
	},
	'official batch in a polling loop': {
		kind: 'polling loop',
		workflow: loop(
			official('Start job', { operation: 'batchScrape', urls: `${page}, ${home}` }),
			official('Status', {
				operation: 'batchScrapeStatus',
				batchId: `={{ $('Start job').item.json.data.id }}`,
			}),
			'={{ $json.status }}',
		),
		converts: 'whole',
		operations: ['batch.run'],
		reads: 'Result',
	},
	'official crawl in a polling loop, wrapped': {
		kind: 'polling loop',
		workflow: workflowOf(
			[
				official('Start job', { resource: 'Crawling', operation: 'crawl', url: page, limit: 2 }),
				wait(),
				official('Status', {
					resource: 'Crawling',
					operation: 'getCrawlStatus',
					crawlId: `={{ $('Start job').item.json.id }}`,
				}),
				isEqual('Done?', '={{ $json.data.status }}', 'completed'),
				set('Result', {
					text: '={{ $json.data.data[0].markdown }}',
					id: `={{ $('Start job').item.json.success }}`,
					length: `={{ $('Start job').item.json.id.length }}`,
				}),
			],
			[
				'Start > Start job',
				'Start job > Wait',
				'Wait > Status',
				'Status > Done?',
				'Done? > Result',
				'Done?:1 > Wait',
			],
		),
		converts: 'whole',
		operations: ['crawl.run'],
		reads: 'Result',
	},
	'official crawl in a loop with a failure branch': {
		kind: 'polling loop',
		workflow: workflowOf(
			[
				official('Start job', { resource: 'Crawling', operation: 'crawl', url: page, limit: 2 }),
				official('Status', {
					resource: 'Crawling',
					operation: 'getCrawlStatus',
					crawlId: `={{ $('Start job').item.json.id }}`,
				}),
				isEqual('Done?', '={{ $json.data.status }}', 'completed'),
				isEqual('Failed?', '={{ $json.data.status }}', 'failed'),
				other('Stop', 'n8n-nodes-base.stopAndError', { errorMessage: 'The crawl failed' }),
				wait(),
				set('Result', {
					pages: '={{ $json.data.data.length }}',
					total: `={{ $('Status').item.json.data.total }}`,
				}),
			],
			[
				'Start > Start job',
				'Start job > Status',
				'Status > Done?',
				'Done? > Result',
				'Done?:1 > Failed?',
				'Failed? > Stop',
				'Failed?:1 > Wait',
				'Wait > Status',
			],
		),
		converts: 'whole',
		operations: ['crawl.run'],
		reads: 'Result',
	},
	'official crawl, one wait and no check': {
		kind: 'polling loop',
		workflow: workflowOf([
			official('Start job', { resource: 'Crawling', operation: 'crawl', url: page, limit: 1 }),
			wait('Wait', 2),
			official('Status', {
				resource: 'Crawling',
				operation: 'getCrawlStatus',
				crawlId: '={{ $json.id }}',
			}),
			set('Result', { status: '={{ $json.data.status }}' }),
		]),
		converts: 'whole',
		operations: ['crawl.run'],
		reads: 'Result',
	},
	'official crawl, a counter in its loop': {
		kind: 'polling loop',
		workflow: workflowOf(
			[
				official('Start job', { resource: 'Crawling', operation: 'crawl', url: page, limit: 1 }),
				set('Count', { id: '={{ $json.id }}', tries: '={{ ($json.tries ?? 0) + 1 }}' }),
				official('Status', {
					resource: 'Crawling',
					operation: 'getCrawlStatus',
					crawlId: `={{ $('Start job').item.json.id }}`,
				}),
				isEqual('Done?', '={{ $json.data.status }}', 'completed'),
				set('Result', { pages: '={{ $json.data.data.length }}' }),
			],
			[
				'Start > Start job',
				'Start job > Count',
				'Count > Status',
				'Status > Done?',
				'Done? > Result',
				'Done?:1 > Count',
			],
		),
		converts: 'kept',
		operations: [],
	},
	'official agent, waiting by itself': {
		kind: 'agent',
		workflow: workflowOf([
			official('Agent', {
				resource: 'Agent',
				operation: 'agent',
				prompt: 'When is the next spring tide?',
				maxWaitTime: 120,
			}),
			set('Result', { status: '={{ $json.status }}' }),
		]),
		converts: 'whole',
		operations: ['agent.run'],
		reads: 'Result',
	},
	'official agent in a polling loop': {
		kind: 'polling loop',
		workflow: workflowOf(
			[
				official('Start job', {
					resource: 'Agent',
					operation: 'agentAsync',
					prompt: 'When is the next spring tide?',
					schemaType: 'manual',
					schema: JSON.stringify(scheme),
				}),
				wait(),
				official('Status', {
					resource: 'Agent',
					operation: 'getAgentStatus',
					agentId: `={{ $('Start job').item.json.data.id }}`,
				}),
				isEqual('Done?', '={{ $json.data.status }}', 'completed'),
				set('Result', { data: '={{ typeof $json.data.data }}' }),
			],
			[
				'Start > Start job',
				'Start job > Wait',
				'Wait > Status',
				'Status > Done?',
				'Done? > Result',
				'Done?:1 > Wait',
			],
		),
		converts: 'whole',
		operations: ['agent.run'],
		reads: 'Result',
	},
	'official batch, started and cancelled': {
		kind: 'batch',
		workflow: workflowOf([
			official('Start job', { operation: 'batchScrape', urls: page }),
			// The batch may have ended before.
			official(
				'Cancel',
				{ operation: 'cancelBatchScrape', batchId: '={{ $json.data.id }}' },
				{ onError: 'continueRegularOutput' },
			),
			set('Result', { length: `={{ $('Start job').item.json.data.id.length }}` }),
		]),
		converts: 'whole',
		operations: ['batch.cancel', 'batch.start'],
		reads: 'Result',
	},
	'official batch, its errors split': {
		kind: 'Split Out',
		workflow: workflowOf([
			official('Start job', { operation: 'batchScrape', urls: nowhere }),
			wait('Wait', 1),
			official('Errors', { operation: 'batchScrapeErrors', batchId: '={{ $json.data.id }}' }),
			splitOut('Each', 'errors'),
			set('Result', { url: '={{ $json.url }}' }),
		]),
		converts: 'whole',
		operations: ['batch.getErrors', 'batch.start'],
		reads: 'Result',
	},
	'official crawl, its errors': {
		kind: 'crawl',
		workflow: workflowOf(
			[
				official('Start job', {
					resource: 'Crawling',
					operation: 'crawl',
					url: 'https://tidewatch.example/nothing-is-here',
					limit: 1,
				}),
				wait('Wait', 1),
				official('Errors', {
					resource: 'Crawling',
					operation: 'getCrawlErrors',
					crawlId: `={{ $('Start job').item.json.id }}`,
				}),
				set('Result', { ok: `={{ $('Start job').item.json.success }}` }),
			],
			['Start > Start job', 'Start job > Wait', 'Wait > Result', 'Result > Errors'],
		),
		converts: 'whole',
		operations: ['crawl.getErrors', 'crawl.start'],
		reads: 'Result',
	},
	'official 1.x batch, its status and errors': {
		kind: 'batch',
		workflow: workflowOf([
			official('Start job', { operation: 'batchScrape', urls: page }),
			wait(),
			official('Status', {
				operation: 'getBatchScrapeStatus',
				batchId: `={{ $('Start job').item.json.data.id }}`,
			}),
			official('Errors', {
				operation: 'getBatchScrapeErrors',
				batchId: `={{ $('Start job').item.json.data.id }}`,
			}),
		]),
		converts: 'whole',
		operations: ['batch.getErrors', 'batch.run'],
		notRun:
			'Only the newest version of the official package is installed, whose operations have other names.',
	},
	'HTTP v1 crawl, started and cancelled': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			http('Start job', 'POST', '/v1/crawl', { url: home, limit: 3 }),
			// The crawl may have ended before.
			{
				...http('Cancel', 'DELETE', '=/v1/crawl/{{ $json.id }}'),
				onError: 'continueRegularOutput',
			},
			set('Result', { ok: `={{ $('Start job').item.json.success }}` }),
		]),
		converts: 'whole',
		operations: ['crawl.cancel', 'crawl.start'],
		reads: 'Result',
	},
	'HTTP v2 agent in a polling loop': {
		kind: 'polling loop',
		workflow: workflowOf(
			[
				http('Start job', 'POST', '/v2/agent', { prompt: 'The tides', schema: scheme }),
				wait(),
				http('Status', 'GET', `=/v2/agent/{{ $('Start job').item.json.id }}`),
				isEqual('Done?', '={{ $json.status }}', 'completed'),
				set('Result', { title: '={{ $json.data.title }}' }),
			],
			[
				'Start > Start job',
				'Start job > Wait',
				'Wait > Status',
				'Status > Done?',
				'Done? > Result',
				'Done?:1 > Wait',
			],
		),
		converts: 'whole',
		operations: ['agent.run'],
		reads: 'Result',
	},
	'HTTP v2 credit usage and queue': {
		kind: 'account',
		workflow: workflowOf([
			http('Credits', 'GET', '/v2/team/credit-usage'),
			http('Queue', 'GET', '/v2/team/queue-status'),
			set('Result', {
				left: `={{ $('Credits').item.json.data.remainingCredits }}`,
				most: '={{ $json.maxConcurrency }}',
			}),
		]),
		converts: 'whole',
		operations: ['account.getCreditUsage', 'account.getQueueStatus'],
		reads: 'Result',
	},
	'official crawl, started, cancelled and listed': {
		kind: 'crawl',
		workflow: workflowOf([
			official('Start job', { resource: 'Crawling', operation: 'crawl', url: home, limit: 3 }),
			// The crawl may have ended before.
			official(
				'Cancel',
				{ resource: 'Crawling', operation: 'cancelCrawl', crawlId: '={{ $json.id }}' },
				{ onError: 'continueRegularOutput' },
			),
			set('Result', { ok: `={{ $('Start job').item.json.success }}` }),
			official('Active', { resource: 'Crawling', operation: 'crawlActive' }),
		]),
		converts: 'whole',
		operations: ['crawl.cancel', 'crawl.getActive', 'crawl.start'],
		reads: 'Result',
	},
	'official preview of a crawl': {
		kind: 'crawl',
		workflow: workflowOf([
			official('Preview', {
				resource: 'Crawling',
				operation: 'crawlParamsPreview',
				url: home,
				prompt: 'Only the guides',
			}),
			set('Result', { paths: '={{ $json.data.includePaths }}' }),
		]),
		converts: 'whole',
		operations: ['crawl.previewParams'],
		notRun: 'The official node asks by GET, which the service does not know.',
	},
	'official list of crawls, read as a whole': {
		kind: 'crawl',
		workflow: workflowOf([
			official('Active', { resource: 'Crawling', operation: 'crawlActive' }),
			set('Result', { count: '={{ $json.crawls.length }}' }),
		]),
		converts: 'kept',
		operations: [],
	},
	'official credit history and sessions': {
		kind: 'account',
		workflow: workflowOf(
			[
				scrape,
				official('History', { resource: 'Account', operation: 'creditUsageHistorical' }),
				splitOut('Periods', 'periods'),
				set('Result', { credits: '={{ $json.totalCredits }}' }),
				official('Sessions', {
					resource: 'Browser',
					operation: 'browserList',
					statusFilter: 'active',
				}),
			],
			[
				'Start > Page',
				'Page > History',
				'History > Periods',
				'Periods > Result',
				'Result > Sessions',
			],
		),
		converts: 'whole',
		operations: ['account.getCreditHistory', 'page.scrape', 'session.getAll'],
		reads: 'Result',
	},
	'HTTP v1 map, links split': {
		kind: 'Split Out',
		workflow: workflowOf([
			http('Map', 'POST', '/v1/map', { url: home, limit: 2 }),
			splitOut('Links', 'links'),
			set('Result', { url: '={{ $json.links }}', same: `={{ $('Links').item.json.links }}` }),
		]),
		converts: 'whole',
		operations: ['map.get'],
		reads: 'Result',
	},
	'official credit usage': {
		kind: 'account',
		workflow: workflowOf([
			official('Credits', { resource: 'Account', operation: 'teamCreditUsage' }),
			set('Result', { left: '={{ $json.data.remainingCredits }}' }),
		]),
		converts: 'whole',
		operations: ['account.getCreditUsage'],
		reads: 'Result',
	},
	'official queue status': {
		kind: 'account',
		workflow: workflowOf([
			official('Queue', { resource: 'Account', operation: 'teamQueueStatus' }),
			set('Result', { jobs: '={{ $json.jobsInQueue }}', most: '={{ $json.maxConcurrency }}' }),
		]),
		converts: 'whole',
		operations: ['account.getQueueStatus'],
		reads: 'Result',
	},
	'official token usage': {
		kind: 'account',
		workflow: workflowOf([
			official('Tokens', { resource: 'Account', operation: 'teamTokenUsage' }),
			official('Former tokens', { resource: 'Account', operation: 'teamTokenUsageHistorical' }),
		]),
		converts: 'kept',
		operations: [],
	},
	'official browser session': {
		kind: 'browser',
		workflow: workflowOf([
			official('Open', { resource: 'Browser', operation: 'browserCreate', ttl: 60 }),
			official('Run', {
				resource: 'Browser',
				operation: 'browserExecute',
				sessionId: '={{ $json.id }}',
				code: '1 + 1',
			}),
			official('Close', {
				resource: 'Browser',
				operation: 'browserDelete',
				sessionId: `={{ $('Open').item.json.id }}`,
			}),
			set('Result', { ok: `={{ $('Run').item.json.success }}` }),
		]),
		converts: 'whole',
		operations: ['session.create', 'session.delete', 'session.execute'],
		reads: 'Result',
	},
	'official text about the browser': {
		kind: 'tools of an agent',
		workflow: workflowOf([
			official('Context', { resource: 'Browser', operation: 'browserContext' }),
			official('Other context', { resource: 'Interact', operation: 'interactContext' }),
		]),
		converts: 'kept',
		operations: [],
	},
	'official interaction': {
		kind: 'browser',
		workflow: workflowOf([
			scrape,
			official('Interact', {
				resource: 'Interact',
				operation: 'interact',
				scrapeId: '={{ $json.data.metadata.scrapeId }}',
				prompt: 'Read the first heading',
			}),
			official('Stop', {
				resource: 'Interact',
				operation: 'interactStop',
				scrapeId: `={{ $('Page').item.json.data.metadata.scrapeId }}`,
			}),
			set('Result', { ok: `={{ $('Interact').item.json.success }}` }),
		]),
		converts: 'whole',
		operations: ['page.scrape', 'session.interact', 'session.stop'],
		reads: 'Result',
	},
	'official extract of one page in a loop': {
		kind: 'extract',
		workflow: workflowOf(
			[
				official('Start job', {
					resource: 'Extract',
					operation: 'extract',
					urls: { items: [{ url: page }] },
					prompt: 'The title',
					schema: JSON.stringify(scheme),
				}),
				wait(),
				official('Status', {
					resource: 'Extract',
					operation: 'getExtractStatus',
					extractId: '={{ $json.id }}',
				}),
				isEqual('Done?', '={{ $json.data.status }}', 'completed'),
				set('Result', { title: '={{ $json.data.data.title }}' }),
			],
			[
				'Start > Start job',
				'Start job > Wait',
				'Wait > Status',
				'Status > Done?',
				'Done? > Result',
				'Done?:1 > Wait',
			],
		),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'official extract without its status': {
		kind: 'extract',
		workflow: workflowOf([
			official('Extract', {
				resource: 'Extract',
				urls: { items: [{ url: page }] },
				prompt: 'The title',
			}),
		]),
		converts: 'kept',
		operations: [],
	},
	'HTTP v2 scrape, JSON body': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			http('Page', 'POST', '/v2/scrape', {
				url: page,
				formats: ['markdown', { type: 'json', prompt: 'The title', schema: scheme }],
			}),
			set('Result', { text: '={{ $json.data.markdown }}', title: '={{ $json.data.json.title }}' }),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'HTTP v2 scrape, template with expressions': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			set('Input', { url: page, wait: '20' }),
			http(
				'Page',
				'POST',
				'/v2/scrape',
				'={\n  "url": "{{ $json.url }}",\n  "formats": ["markdown"],\n  "waitFor": {{ $json.wait }},\n  "onlyMainContent": true\n}',
			),
			set('Result', { text: `={{ $('Page').first().json.data.markdown }}` }),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'HTTP v2 scrape, object literal': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			set('Input', { url: page }),
			http(
				'Page',
				'POST',
				'/v2/scrape',
				`={{ JSON.stringify({ url: $json.url, formats: ['html'], location: { country: 'DE' } }) }}`,
			),
			set('Result', { html: '={{ $json.data.html.length > 0 }}' }),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'HTTP v2 scrape, body computed as a whole': {
		kind: 'HTTP Request',
		workflow: workflowOf([http('Page', 'POST', '/v2/scrape', '={{ $json.body }}')]),
		converts: 'kept',
		operations: [],
	},
	'HTTP v2 scrape, key and value, key in a header': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			other(
				'Page',
				'n8n-nodes-base.httpRequest',
				{
					method: 'POST',
					url: `${host}/v2/scrape`,
					sendHeaders: true,
					headerParameters: {
						parameters: [
							{ name: 'Authorization', value: 'Bearer fc-00000000000000000000000000000000' },
						],
					},
					sendBody: true,
					bodyParameters: {
						parameters: [
							{ name: 'url', value: page },
							{ name: 'formats', value: '={{ ["markdown"] }}' },
						],
					},
				},
				4.1,
			),
			set('Result', { text: '={{ $json.data.markdown }}' }),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'HTTP of 2021, key and value': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			other('Page', 'n8n-nodes-base.httpRequest', {
				requestMethod: 'POST',
				url: `${host}/v0/scrape`,
				authentication: 'headerAuth',
				bodyParametersUi: { parameter: [{ name: 'url', value: page }] },
				options: {},
			}),
			set('Result', { text: '={{ $json.data.content }}' }),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'HTTP with the full response': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			{
				...http('Page', 'POST', '/v2/scrape', { url: page }),
				parameters: {
					...http('Page', 'POST', '/v2/scrape', { url: page }).parameters,
					options: { response: { response: { fullResponse: true } } },
				},
			},
			set('Result', { text: '={{ $json.body.data.markdown }}' }),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'HTTP with the response as text': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			{
				...http('Page', 'POST', '/v2/scrape', { url: page }),
				parameters: {
					...http('Page', 'POST', '/v2/scrape', { url: page }).parameters,
					options: { response: { response: { responseFormat: 'text' } } },
				},
			},
		]),
		converts: 'kept',
		operations: [],
	},
	'HTTP v0 scrape with extraction': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			http('Page', 'POST', '/v0/scrape', {
				url: page,
				extractorOptions: {
					mode: 'llm-extraction',
					extractionPrompt: 'The title',
					extractionSchema: scheme,
				},
			}),
			set('Result', {
				title: '={{ $json.data.llm_extraction.title }}',
				status: '={{ $json.data.metadata.pageStatusCode }}',
				links: '={{ $json.data.linksOnPage.length }}',
			}),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'HTTP v0 search': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			http('Results', 'POST', '/v0/search', {
				query: 'spring tides',
				searchOptions: { limit: 2 },
			}),
			set('Result', {
				text: '={{ $json.data[0].content }}',
				url: '={{ $json.data[0].metadata.sourceURL }}',
			}),
		]),
		converts: 'whole',
		operations: ['search.query'],
		reads: 'Result',
	},
	'HTTP v0 crawl in a polling loop': {
		kind: 'polling loop',
		workflow: loop(
			http('Start job', 'POST', '/v0/crawl', { url: page, crawlerOptions: { limit: 2 } }),
			http('Status', 'GET', `=/v0/crawl/status/{{ $('Start job').item.json.jobId }}`),
			'={{ $json.status }}',
		),
		converts: 'whole',
		operations: ['crawl.run'],
		reads: 'Result',
	},
	'HTTP v1 scrape with extract': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			http('Page', 'POST', '/v1/scrape', {
				url: page,
				formats: ['extract', 'screenshot@fullPage'],
				extract: { prompt: 'The title', schema: scheme },
			}),
			set('Result', { title: '={{ $json.data.extract.title }}' }),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'HTTP v2 scrape, screenshot downloaded': {
		kind: 'Screenshot + HTTP download',
		workflow: workflowOf([
			http('Page', 'POST', '/v2/scrape', { url: page, formats: ['screenshot'] }),
			download('picture'),
			other('Text', 'n8n-nodes-base.extractFromFile', {
				operation: 'binaryToPropery',
				binaryPropertyName: 'picture',
				options: {},
			}),
			set('Result', { file: '={{ $json.data }}' }),
		]),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'HTTP v1 search': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			http('Search', 'POST', '/v1/search', {
				query: 'spring tide',
				limit: 2,
				scrapeOptions: { formats: ['markdown'] },
			}),
			set('Result', { first: '={{ $json.data[0].url }}' }),
		]),
		converts: 'whole',
		operations: ['search.query'],
		reads: 'Result',
	},
	'HTTP v1 map, links joined': {
		kind: 'HTTP Request',
		workflow: workflowOf([
			http('Map', 'POST', '/v1/map', { url: home, ignoreSitemap: true }),
			set('Result', { all: '={{ $json.links.join(", ") }}', first: '={{ $json.links[0] }}' }),
		]),
		converts: 'whole',
		operations: ['map.get'],
		reads: 'Result',
	},
	'HTTP v2 crawl in a polling loop': {
		kind: 'polling loop',
		workflow: loop(
			http('Start job', 'POST', '/v2/crawl', {
				url: page,
				limit: 2,
				scrapeOptions: { formats: ['markdown'] },
			}),
			http('Status', 'GET', `=/v2/crawl/{{ $('Start job').item.json.id }}`),
			'={{ $json.status }}',
		),
		converts: 'whole',
		operations: ['crawl.run'],
		reads: 'Result',
	},
	'HTTP v1 batch in a polling loop': {
		kind: 'polling loop',
		workflow: loop(
			http('Start job', 'POST', '/v1/batch/scrape', {
				urls: [page, home],
				formats: ['markdown'],
			}),
			http('Status', 'GET', `=/v1/batch/scrape/{{ $('Start job').item.json.id }}`),
			'={{ $json.status }}',
		),
		converts: 'whole',
		operations: ['batch.run'],
		reads: 'Result',
	},
	'HTTP v2 batch in a polling loop': {
		kind: 'polling loop',
		workflow: loop(
			http('Start job', 'POST', '/v2/batch/scrape', {
				urls: [page, home],
				formats: ['markdown'],
			}),
			http('Status', 'GET', `=/v2/batch/scrape/{{ $('Start job').item.json.id }}`),
			'={{ $json.status }}',
		),
		converts: 'whole',
		operations: ['batch.run'],
		reads: 'Result',
	},
	'HTTP v1 extract of a site in a loop': {
		kind: 'extract',
		workflow: workflowOf(
			[
				http('Start job', 'POST', '/v1/extract', {
					urls: ['https://tidewatch.example/*'],
					prompt: 'The tides',
					schema: scheme,
				}),
				wait(),
				http('Status', 'GET', `=/v1/extract/{{ $('Start job').item.json.id }}`),
				isEqual('Done?', '={{ $json.status }}', 'completed'),
				set('Result', { title: '={{ $json.data.title }}' }),
			],
			[
				'Start > Start job',
				'Start job > Wait',
				'Wait > Status',
				'Status > Done?',
				'Done? > Result',
				'Done?:1 > Wait',
			],
		),
		converts: 'whole',
		operations: ['agent.run'],
		reads: 'Result',
	},
	'free first, paid on failure': {
		kind: 'free first',
		workflow: workflowOf(
			[
				other('Free', 'n8n-nodes-base.httpRequest', { url: unheard, options: {} }, 4.2, {
					onError: 'continueErrorOutput',
				}),
				scrape,
				set('Result', { text: '={{ $json.data.markdown }}' }),
			],
			['Start > Free', 'Free:1 > Page', 'Page > Result'],
		),
		converts: 'whole',
		operations: ['page.scrape'],
		reads: 'Result',
	},
	'no node of the service': {
		kind: 'none',
		workflow: workflowOf([set('Result', { one: '1' })]),
		converts: 'whole',
		operations: [],
	},
};
