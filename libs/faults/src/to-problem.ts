/** Fault -> RFC 9457 problem document, built from the code, never from a gRPC status. */
import { type Fault } from './fault.ts';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  /** Quoted by the caller when they ask for help; found in the log. */
  readonly reference: string;
  readonly [extra: string]: string | number;
}

/** `reference` is made by the edge (this library has no randomness) unless an inner process gave one. */
export const toProblem = (fault: Fault, reference: string): Problem => {
  const quoted = fault.reference ?? reference;
  const detail = fault.row.public
    ? fault.detail
    : `Please try again; if it happens again, tell your administrator the reference ${quoted}.`;
  return {
    ...fault.meta,
    type: `urn:bravo:fault:${fault.code}`,
    title: fault.row.title,
    status: fault.row.http,
    detail,
    code: fault.code,
    reference: quoted,
  };
};
