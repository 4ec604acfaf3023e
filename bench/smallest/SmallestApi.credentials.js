exports.SmallestApi = class SmallestApi {
	name = 'smallestApi';

	displayName = 'Smallest API';

	properties = [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'Key', name: 'key', type: 'string', default: '' },
	];

	async authenticate({ baseUrl, key }, request) {
		const headers = { ...request.headers, Authorization: `Bearer ${key}` };
		return { ...request, baseURL: baseUrl, headers };
	}
};
