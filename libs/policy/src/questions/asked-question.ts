/** The questions of `ask_user` as the person is asked them. Guarantees that a question is told from another by all of its words; it must never trim or mend one. */
import { canonicalDigest } from '../canonical-json.ts';
import type { JsonObject, JsonValue } from '../json.ts';

export interface AskedQuestion {
  /** A word or two that names it. */
  readonly header: string;
  readonly question: string;
  /** To choose from; empty: the person answers in their own words. */
  readonly options: readonly string[];
  /** More than one option may be chosen. */
  readonly multiple: boolean;
}

/** @param given the argument, which matched its schema. @returns nothing of what is no list of questions. */
export function readQuestions(given: JsonValue | undefined): readonly AskedQuestion[] {
  return Array.isArray(given) ? given.map(readOne) : [];
}

/** SHA-256 over every word of it, in hex: what an answer is remembered by. */
export function questionDigest({ header, question, options, multiple }: AskedQuestion): string {
  return canonicalDigest({ header, question, options: [...options], multiple });
}

function readOne(given: JsonValue): AskedQuestion {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const found = (isObject ? given : {}) as JsonObject;
  const { header, question, options, multiple } = found;
  return {
    header: typeof header === 'string' ? header : '',
    question: typeof question === 'string' ? question : '',
    options: Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [],
    multiple: multiple === true,
  };
}
