import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';
import { apiAddress, staysOnOrigin } from '../nodes/runtime/baseUrl';

/** Where the service is and who calls it (api-v2, Authentication; keyless and self-hosted use: addendum 0 and 15). */
export class WebDataApi implements ICredentialType {
	name = 'webDataApi';

	displayName = 'Web Data API';

	icon: Icon = {
		light: 'file:../icons/webData.svg',
		dark: 'file:../icons/webData.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-web-data/n8n-nodes-web-data/blob/main/README.md#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'https://api.firecrawl.dev',
			required: true,
			description: 'Address of the hosted service or of your own, with or without /v2',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				"Key from the service's dashboard. Leave empty for a self-hosted server without keys.",
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				"Secret from the service's dashboard that signs its callbacks. Only for waiting by callback and for triggers.",
		},
	];

	/** Puts the API's address before a path, and the key on requests to the base URL's origin only; no redirect can take it elsewhere. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { baseUrl, apiKey } = credentials;
		const key = typeof apiKey === 'string' ? apiKey.trim() : '';
		// n8n's older request helper, which other nodes may use with this credential, says `uri`.
		const target: unknown = request.url ?? Reflect.get(request, 'uri');
		const onOrigin = typeof target === 'string' && staysOnOrigin(target, baseUrl);
		return {
			...request,
			baseURL: apiAddress(baseUrl),
			headers: {
				...request.headers,
				...(key !== '' && onOrigin && { Authorization: `Bearer ${key}` }),
			},
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		};
	}

	/** Needs a valid key even where searching does not (addendum 12). */
	test: ICredentialTestRequest = {
		request: { baseURL: '={{ $credentials.baseUrl }}', url: '/team/credit-usage' },
		rules: [
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: false,
					message: 'The service refuses this credential.',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: undefined,
					message: 'Something answers there, but it is not the API. Check the base URL.',
				},
			},
		],
	};
}
