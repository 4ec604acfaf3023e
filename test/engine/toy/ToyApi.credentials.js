exports.ToyApi = class ToyApi {
	name = 'toyApi';

	displayName = 'Toy API';

	properties = [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: 'http://127.0.0.1' },
		{ displayName: 'Token', name: 'token', type: 'string', default: '' },
	];

	test = {
		request: { baseURL: '={{ $credentials.baseUrl }}', url: '/test' },
		rules: [{ type: 'responseCode', properties: { value: 403, message: 'No right to that' } }],
	};

	authenticate = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.token}}' } },
	};
};
