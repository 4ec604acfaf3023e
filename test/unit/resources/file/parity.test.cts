import { parse } from '../../../../nodes/WebData/resources/file/parse';
import { requestFieldNames, offeredValues } from '../requestFields.cjs';
import { accepted } from '../../verdict.cjs';

/** The options of POST /parse (addendum 8), each with a value that the service takes. */
const options = {
	formats: [{ type: 'markdown' }],
	onlyMainContent: false,
	includeTags: ['a'],
	excludeTags: ['b'],
	headers: { a: 'b' },
	timeout: 1000,
	parsers: [],
	skipTlsVerification: false,
	removeBase64Images: false,
	blockAds: false,
	redactPII: true,
	proxy: 'basic',
	zeroDataRetention: false,
	auditMetadata: { username: 'a' },
};
/** Which file is sent, and how. */
const editorsOwn = ['binaryPropertyName', 'uploadMethod'];

const data = { data: 'eA==', mimeType: 'text/html', fileName: 'a.html' };
const requestOf = (additionalFields: object) =>
	accepted(parse.contract, parse.read({ binaryPropertyName: 'data', additionalFields }, { data }));

describe('a file', () => {
	it('has one field in the editor for each option of the spec, and one option for each field', () => {
		expect(requestFieldNames(parse)).toEqual([...Object.keys(options), ...editorsOwn].sort());
	});

	it('takes every option in the API’s own shape', () => {
		expect(requestOf({ requestJson: options })).toEqual({ ...options, binaryPropertyName: data });
	});

	it('offers the values of the spec, all of them accepted', () => {
		const values: Record<string, string[]> = {
			proxy: ['auto', 'basic'],
			uploadMethod: ['direct', 'separate'],
		};
		for (const [name, known] of Object.entries(values)) {
			expect(offeredValues(parse, name).sort()).toEqual(known);
			for (const value of known)
				expect(requestOf({ [name]: value })).toMatchObject({ [name]: value });
		}
	});

	it('shares its options’ fields with pages, but for the timeout, which is another', () => {
		const { timeout } = Object.fromEntries(
			parse.fields.flatMap(({ options: list = [] }) =>
				list.flatMap((entry) => ('type' in entry ? [[entry.name, entry.default]] : [])),
			),
		);
		expect(timeout).toBe(30_000);
	});
});
