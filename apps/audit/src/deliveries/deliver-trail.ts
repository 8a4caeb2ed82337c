/**
 * Brings each destination what it does not have yet. Guarantees that a position moves only after the receiver has answered that it
 * has everything before it, and that a receiver that is away holds up nothing but its own position; it must never give up.
 */
import type { Logger } from '@bravo/chassis';
import { EgressRefused } from '@bravo/chassis/egress-refusals';
import type { Alerts } from '../alerts/alerts.port.ts';
import type { Checkpoints, StoredCheckpoint } from '../checkpoints/checkpoints.port.ts';
import type { Destinations, StoredDestination } from './destination.port.ts';
import { type Delivery, DeliveryProblem, type OpenReceiver, type Receiver } from './receiver.port.ts';
import type { SecretSeal } from './seal-secret.ts';

export interface DeliverTrailParts {
  readonly destinations: Pick<Destinations, 'active' | 'begin' | 'delivered' | 'failed'>;
  readonly checkpoints: Pick<Checkpoints, 'latest'>;
  readonly makeDelivery: (at: StoredDestination, signed: StoredCheckpoint) => Promise<Delivery | undefined>;
  readonly openReceiver: OpenReceiver;
  readonly seal: SecretSeal;
  readonly alerts: Pick<Alerts, 'raise'>;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** How often is looked for what is due; 1 s unless said. */
  readonly lookMs?: number;
  /** The first pause after a failure, doubled with each further one up to five minutes; 2 s unless said. */
  readonly pauseMs?: number;
  /** A destination that takes nothing for so long is an alert; 5 minutes unless said. */
  readonly patienceMs?: number;
}

const LONGEST_PAUSE_MS = 5 * 60_000;
/** A receiver may ask for more patience than ours, but not for ever. */
const LONGEST_ASKED_MS = 3_600_000;
const AT_ONCE = 20;

export const startDeliverTrail = (parts: DeliverTrailParts): { stop(): Promise<void> } => {
  const { destinations, logger, lookMs = 1_000 } = parts;
  const stopping = new AbortController();
  const kept = new Map<string, { version: number; receiver: Receiver }>();
  const running = new Map<string, Promise<void>>();
  const restUntil = new Map<string, number>();
  let wake: () => void = () => undefined;

  const receiverOf = (at: StoredDestination): Receiver => {
    const known = kept.get(at.destinationId);
    if (known?.version === at.version) return known.receiver;
    known?.receiver.close();
    const receiver = parts.openReceiver(at, parts.seal.open(at));
    kept.set(at.destinationId, { version: at.version, receiver });
    return receiver;
  };
  const isDue = (at: StoredDestination): boolean =>
    !running.has(at.destinationId) &&
    (at.tryAt === undefined || at.tryAt.getTime() <= Date.now()) &&
    (restUntil.get(`${at.destinationId} ${at.version}`) ?? 0) <= performance.now();

  const once = async (at: StoredDestination): Promise<void> => {
    const rest = `${at.destinationId} ${at.version}`;
    try {
      const signed = await parts.checkpoints.latest(at.workspaceId);
      const delivery = signed && (await parts.makeDelivery(at, signed));
      if (signed && delivery && (await destinations.begin(at, delivery.to))) {
        await receiverOf(at).deliver(delivery, stopping.signal);
        await destinations.delivered(at, delivery.to);
        if (at.failures > 0) logger.info({ destination: at.destinationId }, 'a destination takes its deliveries again');
        // What is left goes at once: the pause is for what comes from now on.
        if (delivery.to < signed.size) return;
      }
      restUntil.set(rest, performance.now() + at.everySeconds * 1_000);
    } catch (error) {
      if (stopping.signal.aborted) return;
      await tellFailure(parts, at, error);
    }
  };

  const drop = (present: ReadonlySet<string>): void => {
    for (const [id, { receiver }] of kept) {
      if (present.has(id) || running.has(id)) continue;
      receiver.close();
      kept.delete(id);
    }
    if (restUntil.size > 4 * (present.size + 100)) restUntil.clear();
  };

  const look = async (): Promise<void> => {
    const active = await destinations.active();
    drop(new Set(active.map(({ destinationId }) => destinationId)));
    // Whoever waits longest goes first, so that a few that hang never keep the others away.
    const due = active.filter(isDue).sort((a, b) => (a.deliveredAt?.getTime() ?? 0) - (b.deliveredAt?.getTime() ?? 0));
    for (const at of due.slice(0, Math.max(0, AT_ONCE - running.size))) {
      const work = once(at)
        .catch((error: unknown) =>
          logger.warn(
            { err: error, destination: at.destinationId },
            'a delivery could not be noted; it is tried again',
          ),
        )
        .finally(() => {
          running.delete(at.destinationId);
          wake();
        });
      running.set(at.destinationId, work);
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) =>
        logger.warn({ err: error }, 'destinations could not be looked up; trying again'),
      );
      if (stopping.signal.aborted) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    await Promise.all(running.values());
    for (const { receiver } of kept.values()) receiver.close();
  };
  const done = loop();

  return {
    async stop() {
      stopping.abort(new Error('the process ends'));
      wake();
      await done;
    },
  };
};

const tellFailure = async (parts: DeliverTrailParts, at: StoredDestination, error: unknown): Promise<void> => {
  const { pauseMs = 2_000, patienceMs = 5 * 60_000, destinations, alerts, logger } = parts;
  const problem = problemOf(error);
  const pause = Math.min(pauseMs * 2 ** Math.min(at.failures, 16), LONGEST_PAUSE_MS) * (0.75 + Math.random() / 2);
  const asked = error instanceof DeliveryProblem ? Math.min(error.waitMs ?? 0, LONGEST_ASKED_MS) : 0;
  await destinations.failed(at, problem, new Date(Date.now() + Math.max(pause, asked)));
  logger.warn({ err: error, destination: at.destinationId, failures: at.failures + 1 }, 'a delivery was not taken');
  const since = at.failingSince ?? new Date();
  if (Date.now() - since.getTime() < patienceMs) return;
  await alerts.raise({
    kind: 'delivery',
    subject: `${at.destinationId} ${since.toISOString()}`,
    workspaceId: at.workspaceId,
    detail: `The destination "${at.name}" has not taken the trail since ${since.toISOString()}. ${problem}`,
  });
};

const CERTIFICATE =
  /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/;

/** In our own words: what a receiver said is nobody's who reads this. */
export const problemOf = (error: unknown): string => {
  if (error instanceof DeliveryProblem || error instanceof EgressRefused) return error.message;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (CERTIFICATE.test(code)) return `Its certificate is not one to trust for that name (${code}).`;
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code === 'EPROTO')
    return `No secure connection came about (${code}).`;
  if (/^It (did not answer|answered with|broke off)/.test(message)) return message;
  if (/authenticate data|JSON/.test(message)) return 'Its secret cannot be opened here: set it again.';
  return 'The connection broke off before it answered.';
};
