import { boolean, integer, required } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';

/** Whether a screenshot shows the full page, of a format and of an action. */
export const fullPage = (about: { displayName: string; default: boolean }) =>
	boolean({
		...about,
		description: 'Whether to capture the full page instead of the viewport',
	});

/** Other settings of a screenshot. */
export const screenshotSettings = {
	quality: integer({
		displayName: 'Quality',
		min: 1,
		max: 100,
		default: 80,
		description: 'From 1 (smallest file) to 100 (best quality)',
	}),
	viewport: object(
		{
			displayName: 'Viewport',
			placeholder: 'Add Dimension',
			default: { width: 1920, height: 1080 },
			description: 'Browser viewport size in pixels; both values are required',
		},
		{
			height: required(
				integer({
					displayName: 'Height',
					min: 1,
					max: 4320,
					unit: 'pixels',
					default: 1080,
					description: 'Height in pixels, up to 4,320',
				}),
			),
			width: required(
				integer({
					displayName: 'Width',
					min: 1,
					max: 7680,
					unit: 'pixels',
					default: 1920,
					description: 'Width in pixels, up to 7,680',
				}),
			),
		},
	),
};
