import { z } from 'zod/v3';
import { required } from '../../../runtime/form/field';
import { picked, pickedId } from '../picked';
import { exampleId, uuid } from '../ids';

/** A monitor. The node registers `searchMonitors` for its list. */
export const monitor = picked(
	{
		displayName: 'Monitor',
		description: 'Monitor, from the list or by ID',
		select: 'Select a monitor...',
		searchListMethod: 'searchMonitors',
		exampleId,
	},
	z.preprocess(pickedId, uuid()),
);

/** The monitor of an operation. */
export const monitorId = required(monitor);
