/** Who may open which kind of connection, and what one of that kind may take. A service without a row opens nothing. */
import type { EgressPurpose, EgressTicket } from '@bravo/chassis';

export interface Caps {
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** From the moment it is open. */
  readonly lifeMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
}

interface Row extends Caps {
  readonly services: readonly EgressTicket['service'][];
  readonly reach: readonly EgressTicket['reach'][];
}

const MIB = 1024 * 1024;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const ROWS: Readonly<Record<EgressPurpose, Row>> = {
  // One page: its 2 MiB are counted where they are read; this is what stops a peer that ignores that.
  fetch: {
    ...{ services: ['broker'], reach: ['public'] },
    ...{ sentBytes: MIB / 4, receivedBytes: 8 * MIB, lifeMs: 12 * MINUTE, idleMs: 2 * MINUTE },
  },
  // Kept open over many calls; the operator's own provider may stand in the cluster.
  model: {
    ...{ services: ['models'], reach: ['public', 'operator'] },
    ...{ sentBytes: 4_096 * MIB, receivedBytes: 4_096 * MIB, lifeMs: 6 * HOUR, idleMs: 10 * MINUTE },
  },
  delivery: {
    ...{ services: ['audit', 'automation'], reach: ['public'] },
    ...{ sentBytes: 16_384 * MIB, receivedBytes: 256 * MIB, lifeMs: 6 * HOUR, idleMs: 10 * MINUTE },
  },
};

/** The caps of what this ticket may open, or undefined where its service may open nothing of the kind. */
export const capsOf = ({ purpose, service, reach }: EgressTicket): Caps | undefined => {
  const row = ROWS[purpose];
  return row.services.includes(service) && row.reach.includes(reach) ? row : undefined;
};
