import { convert } from '../../../tools/convert/convert.cjs';
import { download, http, other, set, workflowOf, type Sketch } from './build.cjs';

const page = http('Page', 'POST', '/v2/scrape', {
	url: 'https://tidewatch.example/',
	formats: ['screenshot'],
});
const upload = (parameters: Sketch['parameters']) =>
	other('Upload', 'n8n-nodes-base.googleDrive', { operation: 'upload', ...parameters }, 3);

const converted = (...sketches: Sketch[]) => convert(workflowOf([page, ...sketches]));
const namesOf = ({ workflow }: ReturnType<typeof convert>) =>
	workflow.nodes.map(({ name }) => name);

describe('The download of a screenshot', () => {
	it('falls away where the workflow ends with it', () => {
		const { workflow, report } = converted(download());
		expect(workflow.nodes.map(({ name, type }) => [name, type])).toEqual([
			['Start', 'n8n-nodes-base.manualTrigger'],
			['Page', 'n8n-nodes-web-data.webData'],
		]);
		expect(workflow.nodes[1].parameters).toMatchObject({ options: { downloadFiles: true } });
		expect(workflow.connections).toEqual({ Start: { main: [[expect.anything()]] } });
		expect(report.rows).toMatchObject([
			{
				state: 'whole',
				notes: ['It downloads the screenshot by itself, so "Download" fell away.'],
			},
		]);
	});

	it('falls away where the next node names the file, which has another name then', () => {
		const result = converted(download('picture'), upload({ inputDataFieldName: 'picture' }));
		expect(namesOf(result)).toEqual(['Start', 'Page', 'Upload']);
		expect(result.workflow.nodes[2].parameters).toMatchObject({
			inputDataFieldName: 'screenshot',
		});
		expect(result.workflow.connections.Page).toEqual({
			main: [[{ node: 'Upload', type: 'main', index: 0 }]],
		});
	});

	it.each<[what: string, sketches: Sketch[]]>([
		['the next node does not name the file', [download(), upload({})]],
		[
			'a later node reads the file',
			[
				download('picture'),
				upload({ inputDataFieldName: 'picture' }),
				set('Size', { size: '={{ $binary.picture.fileSize }}' }),
			],
		],
		['its item is read', [download(), set('Result', { all: '={{ $json.data }}' })]],
		[
			'it is named',
			[
				download('picture'),
				upload({ inputDataFieldName: 'picture', name: "={{ $('Download').item.json.id }}" }),
			],
		],
		['it sends a header', [download(undefined, { sendHeaders: true })]],
		[
			'it may return something else',
			[other('Download', 'n8n-nodes-base.httpRequest', { url: '={{ $json.data.screenshot }}' }, 4)],
		],
		['it gets another link', [download(undefined, { url: '={{ $json.data.links[0] }}' })]],
		['it is off', [{ ...download(), disabled: true }]],
		['it has an output for errors', [{ ...download(), onError: 'continueErrorOutput' }]],
	])('stays where %s', (_what, sketches) => {
		expect(namesOf(converted(...sketches))).toContain('Download');
	});

	it('stays where the page has pinned data, which has no file', () => {
		const pinData = { Page: [{ json: { data: { screenshot: 'https://files.example/1.png' } } }] };
		const result = convert({ ...workflowOf([page, download()]), pinData });
		expect(namesOf(result)).toContain('Download');
	});
});
