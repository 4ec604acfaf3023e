import { Readable } from 'node:stream';
import { download, isAllowedFileUrl, isPrivateHost } from '../../../../nodes/runtime/http/download';
import { helpers, response } from './helpers.cjs';

const listed = (words: string) => words.trim().split(/\s+/);

describe('A host', () => {
	it.each<[boolean, string]>([
		[
			true,
			`localhost:5678 LOCALHOST n8n.localhost n8n:5678 n8n.local n8n.lan:5678 n8n.corp.internal
			n8n.home.arpa. 127.0.0.1:5678 127.1.2.3 2130706433 0.0.0.0:5678 10.0.0.7 172.16.0.1
			172.31.255.255 192.168.178.2 169.254.169.254 100.64.0.1 100.127.255.254 198.18.0.1 224.0.0.1
			255.255.255.255 168.63.129.16 [::1]:5678 [::] [::ffff:10.0.0.1] [64:ff9b::7f00:1]
			[fd12:3456::1] [fe80::1] [::ffff:0:10.0.0.1] [100::1] [2002:7f00:1::] [2001:0:909:909::1]
			192.0.0.8 192.88.99.1 240.0.0.1 LOCALHOST.LocalDomain. n8n.corp n8n.home n8n.private`,
		],
		[
			false,
			`n8n.example.com localhost.example.com local.example 10.example.com internal-tools.example.com
			9.9.9.9 22.4.0.1 198.20.0.1 172.15.0.1 172.32.0.1 192.169.0.1 100.63.0.1 100.128.0.1
			[2001:db8::1] [2606:4700::1111] 192.0.1.1 192.88.98.1 localdomain.example.com`,
		],
	])('is private, %s: %s', (isPrivate, hosts) => {
		for (const host of listed(hosts))
			expect([host, isPrivateHost(`http://${host}/webhook/a`)]).toEqual([host, isPrivate]);
	});

	it('that is none is private', () => {
		expect(['', 'n8n.example.com', undefined].map(isPrivateHost)).toEqual([true, true, true]);
	});

	const near = `http://10.0.0.7/a http://minio:9000/a http://127.0.0.1:1/a http://[fd00:ec3::254]/
		http://metadata-store.internal/a http://localhost.localdomain/a`;
	const never = `http://169.254.169.254/latest/meta-data http://2852039166/ http://[fe80::1]/
		http://[::ffff:169.254.169.254]/ http://[fd00:ec2::254]/ http://100.100.100.200/
		http://168.63.129.16/ http://METADATA.google.internal./ http://metadata/ http://metadata.goog/v1/
		http://instance-data/latest http://instance-data.us-west-2.compute.internal./
		http://metadata.tencentyun.com/ http://192.0.0.192/opc/v2/ http://[::169.254.169.254]/
		http://[64:ff9b::a9fe:a9fe]/ http://[fd20:ce::254]/ http://[fd00:42::42]/ file:///etc/passwd
		ftp://files.example/a none`;

	it.each<[string, boolean, boolean]>([
		['https://files.example/a http://9.9.9.9/ https://metadata.files.example/', true, true],
		[near, false, true],
		[never, false, false],
	])('may have a file: %s; of a public service %s, of a private one %s', (...given) => {
		const [urls, ofPublic, ofPrivate] = given;
		for (const url of listed(urls)) {
			const allowed = [false, true].map((isPrivate) => isAllowedFileUrl(url, isPrivate));
			expect([url, ...allowed]).toEqual([url, ofPublic, ofPrivate]);
		}
	});
});

describe('A download', () => {
	const picture = 'https://files.example/a/s.png';
	const file = response(200, Buffer.from('x'));
	const to = (location: unknown, status = 302) => response(status, '', { location });
	const notAsked = { failure: { networkError: { code: 'ERR_PRIVATE_ADDRESS' } } };

	/** The result of a download that gets these responses, and the URLs that it asks for. */
	const downloaded = async (...answers: Array<() => Promise<unknown>>) => {
		const { asked, context } = helpers(...answers);
		const result = await download(context, picture, 1);
		expect(asked.every(({ credential, options }) => !credential && !options.headers)).toBe(true);
		expect(asked.every(({ options }) => options.disableFollowRedirect)).toBe(true);
		return { result, urls: asked.map(({ options }) => options.url) };
	};

	it.each(['{"error":"Link expired"}', 'No such file', ''])(
		"fails without the host's words: %j",
		async (content) => {
			// By its clock, its date of a retry is read.
			const kept = { 'retry-after': '7', date: 'Thu, 26 Nov 2026 10:00:00 GMT' };
			const headers = { ...kept, location: 'https://words.example' };
			const body = { error: 'The host did not return the file' };
			expect((await downloaded(response(404, Buffer.from(content), headers))).result).toEqual({
				failure: { response: { status: 404, headers: kept, body } },
			});
		},
	);

	it('asks a private host only in the network of the service, and never a metadata service', async () => {
		const { asked, context } = helpers(file);
		const own = 'http://10.0.0.7/s.png';
		expect(await download(context, own, 1)).toMatchObject(notAsked);
		expect(await download(context, own, 1, true)).toHaveProperty('success');
		expect(await download(context, 'http://169.254.169.254/', 1, true)).toMatchObject(notAsked);
		expect(asked.map(({ options }) => options.url)).toEqual([own]);
	});

	it.each([301, 302, 303, 307, 308])('follows redirects itself: %i', async (status) => {
		const other = 'http://other.example/c';
		const { result, urls } = await downloaded(to('/b/s.png', status), to(other, status), file);
		expect(result).toMatchObject({ success: { status: 200, body: Buffer.from('x') } });
		expect(urls).toEqual([picture, 'https://files.example/b/s.png', other]);
	});

	it.each(['http://127.0.0.1:5678/', '//localhost/', 'ftp://a.example/'])(
		'follows no redirect to %s',
		async (location) => {
			const { result, urls } = await downloaded(to(location), file);
			expect(result).toMatchObject(notAsked);
			expect(urls).toEqual([picture]);
		},
	);

	it('follows five redirects at most, and none to nowhere', async () => {
		const endless = await downloaded(to('/again'));
		expect(endless.result).toMatchObject({ failure: { response: { status: 302 } } });
		expect(endless.urls).toHaveLength(6);
		for (const location of [undefined, '', 'http://', 5]) {
			const { result, urls } = await downloaded(to(location), file);
			expect(result).toHaveProperty('failure.response');
			expect(urls).toHaveLength(1);
		}
	});

	it('has the size that is allowed, and is bytes', async () => {
		const ofBytes = (size: number) => response(200, Readable.from([Buffer.alloc(size)]));
		const allowed = (await downloaded(ofBytes(1_000_000))).result;
		expect(allowed).toHaveProperty('success.body.length', 1_000_000);
		const message = 'the response is larger than 1 MB';
		expect((await downloaded(ofBytes(1_000_001))).result).toEqual({
			failure: { networkError: { code: 'ERR_TOO_LARGE', message } },
		});
		expect((await downloaded(response(200, { not: 'bytes' }))).result).toHaveProperty(
			'failure.response',
		);
	});

	it('fails without a response as any request', async () => {
		const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
		expect((await downloaded(async () => await Promise.reject(error))).result).toEqual({
			failure: { networkError: { code: 'ECONNRESET', message: 'read ECONNRESET' } },
		});
	});
});
