/** Who says where the trail is delivered to. Guarantees that it takes the right to read all of it and to manage members, that it is on record, and that no secret comes back but one that was just made. */
import type { Principal } from '@bravo/chassis';
import { userActor } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { ulid } from 'ulid';
import type { Checkpoints } from '../checkpoints/checkpoints.port.ts';
import type { Retention } from '../retention/retention.port.ts';
import { requireAuditRead } from '../trail/require-person.ts';
import type { Destinations, StoredDestination } from './destination.port.ts';
import { type DestinationSecret, readSecret, readSettings, type SpelledDestination } from './read-destination.ts';
import type { SecretSeal } from './seal-secret.ts';

export interface DestinationWanted {
  /** Empty makes a new one. */
  readonly destinationId: string;
  readonly settings: SpelledDestination;
  readonly secret: string;
  /** now, beginning, an index, or empty. */
  readonly from: string;
}

export interface DestinationView {
  readonly destination: StoredDestination;
  /** Signed entries of the log. */
  readonly size: number;
}

export interface ConfigureDestinations {
  list(principal: Principal): Promise<readonly DestinationView[]>;
  put(principal: Principal, wanted: DestinationWanted): Promise<DestinationView & { readonly signingSecret: string }>;
  remove(principal: Principal, destinationId: string): Promise<void>;
}

export interface ConfigurePorts {
  readonly destinations: Destinations;
  readonly checkpoints: Pick<Checkpoints, 'latest'>;
  readonly retention: Pick<Retention, 'stub'>;
  readonly seal: SecretSeal;
}

export const createConfigureDestinations = (ports: ConfigurePorts): ConfigureDestinations => {
  const { destinations, checkpoints, retention, seal } = ports;
  const signedSize = async (workspaceId: string): Promise<number> => (await checkpoints.latest(workspaceId))?.size ?? 0;
  const readFrom = async (workspaceId: string, from: string, size: number): Promise<number> => {
    if (from === 'now') return size;
    const first = (await retention.stub(workspaceId))?.size ?? 0;
    if (from === 'beginning') return first;
    const index = /^\d{1,15}$/.test(from) ? Number(from) : -1;
    if (index < first || index > size)
      throw new Fault(
        'invalid_argument',
        `A delivery goes on from now, from the beginning, or from an entry from ${first} to ${size}.`,
        { meta: { field: 'from' } },
      );
    return index;
  };
  return {
    async list(principal) {
      requireAuditRead(principal);
      const size = await signedSize(principal.workspaceId);
      return (await destinations.list(principal.workspaceId)).map((destination) => ({ destination, size }));
    },
    async put(principal, { destinationId, settings: spelled, secret: text, from }) {
      requireSender(principal);
      const { workspaceId, userId } = principal;
      const settings = readSettings(spelled);
      const size = await signedSize(workspaceId);
      if (destinationId === '') {
        const newId = `dst_${ulid().toLowerCase()}`;
        const { secret, made } = readSecret(settings.kind, text, undefined);
        const nextIndex = await readFrom(workspaceId, from === '' ? 'now' : from, size);
        const sealedSecret = seal.seal(workspaceId, newId, secret);
        const added = { destinationId: newId, workspaceId, ...settings, sealedSecret, createdBy: userId };
        return { destination: await destinations.add(added, nextIndex), size, signingSecret: made };
      }
      const before = await destinations.find(destinationId);
      if (!before || before.workspaceId !== workspaceId) throw notFound();
      if (before.kind !== settings.kind)
        throw new Fault('invalid_argument', 'What kind a destination is does not change: add another one.', {
          meta: { field: 'kind' },
        });
      // A secret goes where it was given for, and nowhere else.
      const kept: DestinationSecret | undefined =
        new URL(before.url).host === new URL(settings.url).host ? seal.open(before) : undefined;
      const { secret, made } = readSecret(settings.kind, text, kept);
      const nextIndex = from === '' ? undefined : await readFrom(workspaceId, from, size);
      const changed = await destinations.change(
        workspaceId,
        destinationId,
        { ...settings, sealedSecret: seal.seal(workspaceId, destinationId, secret) },
        nextIndex,
        userActor(userId),
      );
      if (!changed) throw notFound();
      return { destination: changed, size, signingSecret: made };
    },
    async remove(principal, destinationId) {
      requireSender(principal);
      if (!(await destinations.remove(principal.workspaceId, destinationId, userActor(principal.userId))))
        throw notFound();
    },
  };
};

/** Whoever sends the trail elsewhere shows all of it to others, so it takes more than reading. */
const requireSender = (principal: Principal): void => {
  requireAuditRead(principal);
  if (!principal.permissions.includes('manage_members'))
    throw new Fault('permission_denied', 'Deciding where the trail goes needs the permission manage_members.');
};

const notFound = (): Fault => new Fault('not_found', 'There is no such destination.');
