import type { IDataObject } from 'n8n-workflow';

const camelCase = (name: string) =>
	name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Converts a record's names to camel case: some servers return `remaining_credits`. */
export const camelCased = (record: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [camelCase(name), value]));
