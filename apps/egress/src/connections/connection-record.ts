/** What the trail is told of connections. */
import type { EgressTicket } from '@bravo/chassis';
import type { EgressRefusal } from '@bravo/chassis/egress-refusals';

export interface Allowed {
  readonly connectionId: string;
  readonly ticket: EgressTicket;
  /** The checked ones, in the order they are tried; nothing else is connected to. */
  readonly addresses: readonly string[];
}

export const OUTCOMES = [
  'ended',
  'bytes_cap',
  'time_cap',
  'idle_cap',
  'reset',
  'unreachable',
  'connect_timeout',
  'stopped',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

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
