/**
 * A sentence of an error's advice, with the one who can do what it suggests: the `caller`, who fills
 * in the fields and can call again, so the model of a tool; only the `user`, who builds the
 * workflow and has the credential and the plan; or nobody, if it is a fact. `service` is text of
 * the service, which a model must not take for the node's.
 */
export interface Sentence {
	text: string;
	by: 'caller' | 'user' | 'nobody' | 'service';
}

export type Advice = readonly Sentence[];

/** A sentence that suggests nothing. */
export const fact = (text: string): Sentence => ({ text, by: 'nobody' });

/** A sentence that suggests what the caller can do by other values or another call. */
export const forCaller = (text: string): Sentence => ({ text, by: 'caller' });

/** A sentence that suggests what only the user can do, in the editor, the credential or the plan. */
export const forUser = (text: string): Sentence => ({ text, by: 'user' });

/** A sentence of the service. */
export const quoted = (text: string): Sentence => ({ text, by: 'service' });

/** Advice as one text, for people. */
export const textOf = (advice: Advice): string => advice.map(({ text }) => text).join(' ');

/** Advice of an error: one text for users and models alike, or sentences with roles. */
export type AnyAdvice = string | Advice;

/** Any advice as sentences. */
export const sentencesOf = (advice: AnyAdvice): Advice =>
	typeof advice !== 'string' ? advice : advice === '' ? [] : [fact(advice)];
