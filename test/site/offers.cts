import { z } from 'zod';

const price = z.number().positive();

/** A shop's product, with one offer per variant. */
export const productSchema = z
	.object({
		brand: z.string(),
		category: z.string(),
		currency: z.string().length(3),
		variants: z
			.array(
				z
					.object({
						name: z.string(),
						sku: z.string(),
						price,
						/** The price before a sale. */
						was: price.optional(),
						inStock: z.boolean().default(true),
					})
					.strict(),
			)
			.min(1),
	})
	.strict();

/** A café's menu. */
export const menuSchema = z
	.object({
		merchant: z.string(),
		currency: z.string().length(3),
		sections: z
			.array(
				z
					.object({
						name: z.string(),
						items: z
							.array(
								z
									.object({
										name: z.string(),
										description: z.string().optional(),
										price,
										dietary: z.array(z.enum(['vegan', 'vegetarian', 'gluten-free'])).default([]),
										calories: z.number().int().positive().optional(),
									})
									.strict(),
							)
							.min(1),
					})
					.strict(),
			)
			.min(1),
	})
	.strict();

export type Product = z.infer<typeof productSchema>;
export type Menu = z.infer<typeof menuSchema>;

/** The table of prices below a product's description. */
export function productMarkdown({ currency, variants }: Product): string {
	const rows = variants.map(({ name, sku, price: now, was, inStock }) => {
		const amount = `${money(now, currency)}${was ? ` (was ${money(was, currency)})` : ''}`;
		return `| ${name} | ${sku} | ${amount} | ${inStock ? 'In stock' : 'Sold out'} |`;
	});
	return ['| Size | SKU | Price | Availability |', '|---|---|---|---|', ...rows].join('\n');
}

/** The menu as headings and lists. */
export function menuMarkdown({ currency, sections }: Menu): string {
	return sections
		.map(({ name, items }) => {
			const lines = items.map(({ name: dish, description, price: cost, dietary, calories }) => {
				const marks = [...dietary, ...(calories ? [`${calories} kcal`] : [])];
				return `- **${dish}** ${money(cost, currency)}${description ? `: ${description}` : ''}${
					marks.length > 0 ? ` (${marks.join(', ')})` : ''
				}`;
			});
			return [`## ${name}`, '', ...lines].join('\n');
		})
		.join('\n\n');
}

function money(amount: number, currency: string): string {
	return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(amount);
}
