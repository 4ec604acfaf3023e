/** Sends a request for each item, `width` at a time, and returns the answers. Nothing is checked, paced or repeated. */
exports.Smallest = class Smallest {
	description = {
		name: 'smallest',
		displayName: 'Smallest',
		group: ['transform'],
		version: 1,
		description: 'Sends a request for each item',
		defaults: { name: 'Smallest' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'smallestApi', required: true }],
		properties: [
			{ displayName: 'Path', name: 'path', type: 'string', default: '' },
			{ displayName: 'Member', name: 'member', type: 'string', default: '' },
			{ displayName: 'Subject', name: 'subject', type: 'string', default: '' },
			{ displayName: 'Options', name: 'options', type: 'json', default: '{}' },
			{ displayName: 'Width', name: 'width', type: 'number', default: 1 },
		],
	};

	async execute() {
		const items = this.getInputData();
		const url = this.getNodeParameter('path', 0);
		const member = this.getNodeParameter('member', 0);
		const options = JSON.parse(this.getNodeParameter('options', 0));
		const output = items.map((_, item) => ({ json: {}, pairedItem: { item } }));
		let next = 0;
		const work = async () => {
			while (next < items.length) {
				const item = next++;
				const body = { [member]: this.getNodeParameter('subject', item), ...options };
				const request = { method: 'POST', url, body, json: true };
				try {
					output[item].json = await this.helpers.httpRequestWithAuthentication.call(
						this,
						'smallestApi',
						request,
					);
				} catch (error) {
					if (!this.continueOnFail()) throw error;
					output[item].error = error;
				}
			}
		};
		await Promise.all(Array.from({ length: this.getNodeParameter('width', 0) }, work));
		return [output];
	}
};
