/** The one throwable of Bravo: a catalogue code, a sentence for the caller, and a cause that only the log may see. */
import { faultRow, type FaultCode, type FaultRow } from './fault-catalogue.ts';

export interface FaultOptions {
  /** The inner error, for the log only. It never travels. */
  readonly cause?: unknown;
  /** Machine-readable extras that may travel, for example `{ field: 'content' }`. Strings only. */
  readonly meta?: Readonly<Record<string, string>>;
  /** Set when the fault came from another process that had logged it already. */
  readonly reference?: string;
}

export class Fault extends Error {
  readonly code: FaultCode;
  /** What was wrong and what to do, in a sentence for the caller. */
  readonly detail: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly reference: string | undefined;

  constructor(code: FaultCode, detail: string, options: FaultOptions = {}) {
    super(`${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.detail = detail;
    this.meta = options.meta ?? {};
    this.reference = options.reference;
  }

  get row(): FaultRow {
    return faultRow(this.code);
  }
}

export const isFault = (error: unknown): error is Fault => error instanceof Fault;

/** Any thrown value as a Fault; what is unknown becomes `internal` and keeps its text as the cause only. */
export const toFault = (error: unknown): Fault =>
  isFault(error) ? error : new Fault('internal', 'An unexpected error happened.', { cause: error });
