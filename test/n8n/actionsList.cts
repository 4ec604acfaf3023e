/** The headings of the node's actions in n8n's node creator, by how much they are used. */
export const actionHeadings = [
	'Search Actions',
	'Page Actions',
	'Crawl Actions',
	'Map Actions',
	'Batch Actions',
	'File Actions',
	'Agent Actions',
	'Browser Session Actions',
	'Monitor Actions',
	'Paper Actions',
	'Data Tool Actions',
	'Account Actions',
];

/** The first action under each of the first headings. */
export const firstActions = [
	'Search web',
	'Scrape page',
	'Crawl website',
	'Map website',
	'Scrape list of URLs',
];
