/** Words and phrases by which people look for what the pack does, in n8n's node creator. */
export const creatorWords = `
	firecrawl, web search, search the web, google search, serp, serp api, internet,
	search engine, bing search, scrape, scraper, scrape website, scrape a page, scrape url,
	web scraper, web scraping, scraping, harvest, grab, fetch, fetch url, fetch page,
	get page content, get website content, read page, read website, read url, visit website,
	open url, web page, webpage, website, website to markdown, html to markdown, html to json,
	html to text, website to text, url to markdown, docs to markdown, pdf to markdown,
	pdf to text, website to json, crawl, crawler, crawl website, spider, sitemap, map website,
	site map, links, extract links, extract data, extract emails, extract text, structured data,
	json extraction, parse, parse html, parse pdf, read pdf, pdf, docx, ocr, document parser,
	download website, screenshot, website screenshot, markdown, headless browser, headless,
	browser automation, browser, puppeteer, playwright, anti bot, proxy, captcha, leads,
	lead generation, find leads, enrich, enrichment, enrich company, company data, emails,
	find emails, contact finder, news, news search, google news, image search, digest,
	news digest, newsletter, research, deep research, market research, competitor,
	competitor analysis, papers, academic papers, arxiv, scientific papers, citations, rag,
	knowledge base, passages, ingest website, embeddings from website, seo, rank tracker,
	keyword rank, backlinks, monitor, monitor website, watch page, page changes, website changes,
	change detection, notify when changed, price changes, price tracker, price watch,
	price monitoring, track prices, stock alert, news alert, google alerts, rss alternative,
	webhook on change, new results, ai agent tool, web tool, data tools, fact check, lookup,
	job postings, product data, reviews, real estate listings, government data,
	github issues search, case law
`
	.trim()
	.split(/,\s+/);

/** Those of them by which somebody looks for a trigger. */
export const watchWords = `
	price, price watch, price tracker, track prices, change, page changes, notify,
	notify when changed, alert, monitor, monitor website, watch, watch page
`
	.trim()
	.split(/,\s+/);
