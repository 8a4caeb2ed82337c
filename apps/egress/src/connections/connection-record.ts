/** What the trail is told of connections. */
import type { EgressTicket } from '@bravo/chassis';
import type { EgressRefusal } from '@bravo/chassis/egress-refusals';
import type { EventDraft } from '@bravo/events';

export interface Allowed {
  readonly connectionId: string;
  readonly ticket: EgressTicket;
  /** The checked ones, in the order they are tried; nothing else is connected to. */
  readonly addresses: readonly string[];
}

/** How a connection can end, as the catalogue of events lists it. */
export type Outcome = EventDraft<'agent.egress.ended'>['data']['outcome'];

export interface Ended {
  readonly outcome: Outcome;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly durationMs: number;
}

export interface ConnectionRecord {
  /** Before anything is sent. @throws when it cannot be written; then nothing is opened. */
  allowed(allowed: Allowed): Promise<void>;
  ended(allowed: Allowed, ended: Ended): Promise<void>;
  refused(ticket: EgressTicket, reason: EgressRefusal): Promise<void>;
}
