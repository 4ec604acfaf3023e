import type { INodeProperties } from 'n8n-workflow';
import { fields, flag, wholeNumber } from '../../runtime/contract';

/** Whether a screenshot shows the whole page, of a format and of an action (api-v2, Formats and Actions). */
export const fullPageField: INodeProperties = {
	displayName: 'Full Page',
	name: 'fullPage',
	type: 'boolean',
	default: true,
	description: 'Whether to take the whole page instead of the visible part',
};

/** Further settings of a screenshot. */
export const furtherScreenshotOptions: INodeProperties[] = [
	{
		displayName: 'Quality',
		name: 'quality',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 80,
		description: 'From 1 (smallest file) to 100 (sharpest)',
	},
	{
		displayName: 'Viewport',
		name: 'viewport',
		type: 'collection',
		placeholder: 'Add Side',
		default: { width: 1920, height: 1080 },
		description: 'Size of the browser window in pixels; both sides are needed',
		options: [
			{
				displayName: 'Height',
				name: 'height',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 4320 },
				default: 1080,
				description: 'Height in pixels, up to 4,320',
			},
			{
				displayName: 'Width',
				name: 'width',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 7680 },
				default: 1920,
				description: 'Width in pixels, up to 7,680',
			},
		],
	},
];

/** All settings of a screenshot, as an action has them in one group. */
export const screenshotOptions: INodeProperties[] = [fullPageField, ...furtherScreenshotOptions];

/** Contract members for `screenshotOptions`. */
export const screenshotMembers = {
	fullPage: flag().optional(),
	quality: wholeNumber({ min: 1, max: 100 }).optional(),
	viewport: fields({
		width: wholeNumber({ min: 1, max: 7680, unit: 'pixels' }),
		height: wholeNumber({ min: 1, max: 4320, unit: 'pixels' }),
	}).optional(),
};
