/** A text, and the file or page that it is in. */
export interface Use {
	place: string;
	text: string;
}

/** Uses of the glossary's words in another sense. */
export type Exception = [place: RegExp, text: RegExp, because: string];

/** Checks texts with `faultsIn`, but for the exceptions, each of which has to be needed. */
export function glossaryCheck<Found extends Use>(
	faultsIn: (use: Found) => string[],
	exceptions: readonly Exception[],
) {
	const fits =
		({ place, text }: Found) =>
		([places, texts]: Exception) =>
			places.test(place) && texts.test(text);
	return {
		/** The faults of texts that are no exceptions. */
		faultsOf: (uses: readonly Found[]): string[] =>
			uses.filter((use) => !exceptions.some(fits(use))).flatMap(faultsIn),
		/** The reasons of the exceptions that no faulty text needs. */
		idleExceptions(uses: readonly Found[]): string[] {
			const faulty = uses.filter((use) => faultsIn(use).length > 0);
			return exceptions
				.filter((exception) => !faulty.some((use) => fits(use)(exception)))
				.map(([, , because]) => because);
		},
	};
}
