/**
 * One connection out, from a ticket to an open socket. Guarantees that nothing is connected to that a valid ticket does not
 * name, that every address of its name was judged, that the judged address is the one connected to, and that it is on record first.
 */
import type { EgressTicket, VerifyTicket } from '@bravo/chassis';
import { EgressRefused, type EgressRefusal } from '@bravo/chassis/egress-refusals';
import type { Allowed, ConnectionRecord, Ended, Outcome } from './connection-record.ts';
import { addressesSpelled, judgeDestination } from './judge-destination.ts';
import { type Caps, capsOf } from './purposes.ts';
import { readAuthority } from './read-authority.ts';
import type { Room } from './room.ts';

export interface OpenConnectionParts<Socket> {
  readonly verifyTicket: VerifyTicket;
  /** True for the first who shows it. */
  readonly useTicket: (ticket: EgressTicket) => boolean;
  /** Whether whoever runs the platform listed it for that service. */
  readonly isListed: (service: string, host: string, port: number) => boolean;
  /** Every address of the name. @throws EgressRefused */
  readonly resolveName: (name: string) => Promise<readonly string[]>;
  /** @throws EgressRefused unreachable or connect_timeout. */
  readonly dial: (addresses: readonly string[], port: number, signal: AbortSignal) => Promise<Socket>;
  readonly record: ConnectionRecord;
  readonly room: Room;
  readonly newConnectionId: () => string;
  readonly now: () => number;
  readonly onUnrecorded: (error: unknown, connectionId: string) => void;
}

export interface OpenedConnection<Socket> {
  readonly socket: Socket;
  readonly caps: Caps;
  readonly purpose: EgressTicket['purpose'];
  /** Gives the place back and tells the trail; once. */
  end(outcome: Outcome, sentBytes: number, receivedBytes: number): Promise<void>;
}

export interface Asked {
  readonly authority: string;
  /** The ticket's text; undefined where there is none. */
  readonly token: string | undefined;
}

export type OpenConnection<Socket> = (asked: Asked, signal: AbortSignal) => Promise<OpenedConnection<Socket>>;

/** @throws EgressRefused */
export const createOpenConnection =
  <Socket>(parts: OpenConnectionParts<Socket>): OpenConnection<Socket> =>
  async (asked, signal) => {
    const { ticket, caps, leave } = await admit(parts, asked);
    try {
      const addresses = await checkedAddresses(parts, ticket);
      const allowed: Allowed = { connectionId: parts.newConnectionId(), ticket, addresses };
      await parts.record.allowed(allowed).catch((cause: unknown) => {
        throw new EgressRefused('unrecorded', { cause });
      });
      const began = parts.now();
      const tell = async (ended: Omit<Ended, 'durationMs'>): Promise<void> => {
        const durationMs = Math.max(0, Math.round(parts.now() - began));
        await parts.record
          .ended(allowed, { ...ended, durationMs })
          .catch((error: unknown) => parts.onUnrecorded(error, allowed.connectionId));
      };
      const socket = await parts.dial(addresses, ticket.port, signal).catch(async (error: unknown) => {
        const outcome = error instanceof EgressRefused && error.code === 'connect_timeout' ? error.code : 'unreachable';
        await tell({ outcome, sentBytes: 0, receivedBytes: 0 });
        throw error;
      });
      return {
        ...{ socket, caps, purpose: ticket.purpose },
        end: async (outcome, sentBytes, receivedBytes) => {
          leave();
          await tell({ outcome, sentBytes, receivedBytes });
        },
      };
    } catch (error) {
      leave();
      await tellRefusal(parts, ticket, error);
      throw error;
    }
  };

/** What a ticket alone decides, before anything is looked up. */
const admit = async <Socket>(
  parts: OpenConnectionParts<Socket>,
  { authority, token }: Asked,
): Promise<{ ticket: EgressTicket; caps: Caps; leave: () => void }> => {
  const named = readAuthority(authority);
  if (named === undefined) throw new EgressRefused('malformed');
  if (token === undefined || token === '') throw new EgressRefused('ticket_missing');
  const ticket = await parts.verifyTicket(token).catch((cause: unknown) => {
    throw new EgressRefused('ticket_invalid', { cause });
  });
  const refuse = async (reason: EgressRefusal): Promise<never> => {
    const refused = new EgressRefused(reason);
    await tellRefusal(parts, ticket, refused);
    throw refused;
  };
  if (!parts.useTicket(ticket)) return refuse('ticket_used');
  if (ticket.host !== named.host || ticket.port !== named.port) return refuse('ticket_elsewhere');
  const caps = capsOf(ticket);
  if (caps === undefined) return refuse('purpose_denied');
  const leave = parts.room.enter(ticket.workspaceId);
  return leave === undefined ? refuse('busy') : { ticket, caps, leave };
};

const checkedAddresses = async <Socket>(
  { isListed, resolveName }: OpenConnectionParts<Socket>,
  { host, port, service, reach }: EgressTicket,
): Promise<readonly string[]> => {
  const mayBePrivate = reach === 'operator' || isListed(service, host, port);
  const spelled = addressesSpelled(host);
  if (typeof spelled === 'string') throw new EgressRefused(spelled);
  const addresses = spelled ?? (await resolveName(host));
  const refusal = judgeDestination(host, addresses, mayBePrivate);
  if (refusal !== undefined) throw new EgressRefused(refusal);
  return addresses;
};

/** Of a connection that was on record the trail is told its end instead. */
const tellRefusal = async <Socket>(
  { record, onUnrecorded }: Pick<OpenConnectionParts<Socket>, 'record' | 'onUnrecorded'>,
  ticket: EgressTicket,
  error: unknown,
): Promise<void> => {
  if (!(error instanceof EgressRefused) || error.code === 'egress_gone') return;
  if (['unreachable', 'connect_timeout', 'unrecorded'].includes(error.code)) return;
  await record.refused(ticket, error.code).catch((failure: unknown) => onUnrecorded(failure, ticket.id));
};
