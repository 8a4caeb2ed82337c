/** Why egress opened no connection, as words of one closed list that travel in a header; the sentences are for people and hold nothing a server said. */

export const EGRESS_REFUSALS = {
  malformed: { status: 400, sentence: 'The request to the way out cannot be read.' },
  ticket_missing: { status: 407, sentence: 'The request to the way out carried no ticket.' },
  ticket_invalid: { status: 407, sentence: 'The ticket for the way out is not valid or has expired.' },
  ticket_used: { status: 407, sentence: 'The ticket for the way out was used before.' },
  ticket_elsewhere: { status: 403, sentence: 'The ticket for the way out names another destination.' },
  purpose_denied: { status: 403, sentence: 'This service may open no connection of that kind.' },
  literal_address: { status: 403, sentence: 'A destination is named, not spelled as an address.' },
  not_public: { status: 403, sentence: 'The name leads to an address that is not public, so nothing is connected to.' },
  name_unknown: { status: 502, sentence: 'The name cannot be found. Check how it is spelled.' },
  resolver_failed: {
    status: 502,
    sentence:
      'The name cannot be looked up from here: there is no answer from the name server. This machine may have no network.',
  },
  unreachable: { status: 502, sentence: 'The host cannot be reached from here.' },
  connect_timeout: { status: 504, sentence: 'The host did not take the connection in time.' },
  busy: { status: 503, sentence: 'Too many connections to the outside are open. Try again in a moment.' },
  unrecorded: {
    status: 503,
    sentence: 'The connection could not be put on record, so it was not opened. Try again in a moment.',
  },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly sentence: string }>>;

export type EgressRefusal = keyof typeof EGRESS_REFUSALS;

/** Header of a refused CONNECT. */
export const REFUSAL_HEADER = 'x-bravo-refusal';

/** No connection was opened; `code` is egress's own word, or `egress_gone` where egress itself does not answer. */
export class EgressRefused extends Error {
  readonly code: EgressRefusal | 'egress_gone';
  constructor(code: EgressRefusal | 'egress_gone', options: ErrorOptions = {}) {
    super(
      code === 'egress_gone' ? 'The way out of the platform does not answer.' : EGRESS_REFUSALS[code].sentence,
      options,
    );
    this.name = 'EgressRefused';
    this.code = code;
  }
}

export const isRefusal = (word: unknown): word is EgressRefusal =>
  typeof word === 'string' && Object.hasOwn(EGRESS_REFUSALS, word);
