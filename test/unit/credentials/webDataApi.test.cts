import { join } from 'node:path';
import { type ICredentialDataDecryptedObject, type IHttpRequestOptions } from 'n8n-workflow';
import type { WebDataApi } from '../../../credentials/WebDataApi.credentials';
import { projectRoot } from '../../root.cjs';

// The built class: it imports its code as n8n does, not as jest.
const built: { WebDataApi: new () => WebDataApi } = require(
	join(projectRoot, 'dist/credentials/WebDataApi.credentials.js'),
);
const credential = new built.WebDataApi();
const baseUrl = 'https://api.example.com';
const headers = { values: [{ name: 'CF-Access-Client-Secret', value: 'access-1' }] };

const authenticated = async (
	request: IHttpRequestOptions,
	change: ICredentialDataDecryptedObject = {},
) => await credential.authenticate({ baseUrl, apiKey: ' fc-key\n', headers, ...change }, request);

/** The form in which n8n's HTTP Request node passes its request. */
const older = (uri: string) => JSON.parse(JSON.stringify({ uri })) as IHttpRequestOptions;

const secretHeaders = { Authorization: 'Bearer fc-key', 'CF-Access-Client-Secret': 'access-1' };

describe('the credential of a request', () => {
	it('adds base URL, key and further headers, and forbids redirects', async () => {
		const request = { url: '/search', body: { query: 'x' }, headers: { 'x-a': '1' } };
		expect(await authenticated(request)).toEqual({
			...request,
			baseURL: 'https://api.example.com/v2',
			headers: { 'x-a': '1', ...secretHeaders },
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		});
		expect(request.headers).toEqual({ 'x-a': '1' });
	});

	it('adds them to absolute URLs of its origin only, in both forms of a request', async () => {
		const own = 'https://api.example.com/v2/team/credit-usage';
		expect((await authenticated({ url: own })).headers).toEqual(secretHeaders);
		expect((await authenticated(older(own))).headers).toEqual(secretHeaders);
		for (const url of ['https://evil.example/x', '//evil.example/x', 'http://api.example.com/x']) {
			expect((await authenticated({ url })).headers).toEqual({});
			expect((await authenticated(older(url))).headers).toEqual({});
		}
	});

	it('skips certificate checks only if the user wants it, and only at the base URL', async () => {
		const skips = async (url: string, change?: ICredentialDataDecryptedObject) =>
			(await authenticated({ url }, change)).skipSslCertificateValidation;
		expect(await skips('/search')).toBeUndefined();
		expect(await skips('/search', { ignoreSSLIssues: true })).toBe(true);
		expect(await skips('https://evil.example/x', { ignoreSSLIssues: true })).toBeUndefined();
	});

	it('rejects an invalid base URL or header', async () => {
		await expect(authenticated({ url: '/' }, { baseUrl: 'ftp://example.com' })).rejects.toThrow(
			`The credential's 'Base URL' must start with http:// or https://`,
		);
		const values = [{ name: 'Host', value: 'a' }];
		await expect(authenticated({ url: '/' }, { headers: { values } })).rejects.toThrow(
			`The credential's 'Headers' must not replace Host`,
		);
	});
});

describe('the credential in the editor', () => {
	it('is offered for HTTP Request nodes: n8n sends only own properties to the editor', () => {
		expect(Object.hasOwn(credential, 'authenticate')).toBe(true);
	});

	it('hides key, webhook secret and values of headers', () => {
		const fields = credential.properties.flatMap((property) => [
			property,
			...(property.options ?? []).flatMap((group) => ('values' in group ? group.values : [])),
		]);
		const hidden = fields.filter(({ typeOptions }) => typeOptions?.password === true);
		expect(hidden.map(({ name }) => name)).toEqual(['apiKey', 'webhookSecret', 'value']);
	});

	it('shows no notice, and links to where the key comes from', () => {
		expect(credential.properties.filter(({ type }) => type === 'notice')).toEqual([]);
		const key = credential.properties.find(({ name }) => name === 'apiKey');
		expect(key?.description).toContain('href="https://www.firecrawl.dev/app/api-keys"');
	});
});
