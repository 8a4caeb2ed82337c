/** Says of each orchestrator instance that it lives, by a Lease it renews; what a dead one left is taken over by exactly one other. */
import { ApiException, type CoordinationV1Api, V1MicroTime, type V1Lease } from '@kubernetes/client-node';
import { MANAGED_BY, MANAGER, objectName } from './pod-manifest.ts';

const PART = 'bravo.dev/part';
const PART_OWNER = 'pod-owner';
const GIVEN = 'bravo.dev/owner-name';
/** An owner that did not renew for this long is dead. Clocks of nodes may differ by much less. */
export const LEASE_SECONDS = 20;

export const isStatus = (error: unknown, code: number): boolean => error instanceof ApiException && error.code === code;

export interface OwnerLeasesParts {
  readonly api: CoordinationV1Api;
  readonly namespace: string;
  readonly owner: string;
  readonly now: () => Date;
}

export class OwnerLeases {
  readonly #parts: OwnerLeasesParts;
  constructor(parts: OwnerLeasesParts) {
    this.#parts = parts;
  }

  #document(owner: string, holder: string): V1Lease {
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name: `bravo-${objectName(owner)}`,
        namespace: this.#parts.namespace,
        labels: { [MANAGED_BY]: MANAGER, [PART]: PART_OWNER },
        annotations: { [GIVEN]: owner },
      },
      spec: {
        holderIdentity: holder,
        leaseDurationSeconds: LEASE_SECONDS,
        renewTime: new V1MicroTime(this.#parts.now().toISOString()),
      },
    };
  }

  async begin(): Promise<void> {
    const { api, namespace, owner } = this.#parts;
    await api.createNamespacedLease({ namespace, body: this.#document(owner, owner) });
  }

  /** Renews; makes it again where somebody took this living instance for dead. */
  async renew(): Promise<void> {
    const { api, namespace, owner } = this.#parts;
    const body = this.#document(owner, owner);
    try {
      await api.replaceNamespacedLease({ namespace, name: body.metadata?.name ?? '', body });
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
      await api.createNamespacedLease({ namespace, body });
    }
  }

  async end(owner = this.#parts.owner): Promise<void> {
    const { api, namespace } = this.#parts;
    await api.deleteNamespacedLease({ namespace, name: `bravo-${objectName(owner)}` }).catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
    });
  }

  /** Dead owners that this instance alone has now taken over: a compare-and-set on each Lease decides between several. */
  async takeDead(): Promise<readonly string[]> {
    const { api, namespace, owner, now } = this.#parts;
    const { items } = await api.listNamespacedLease({ namespace, labelSelector: `${PART}=${PART_OWNER}` });
    const taken: string[] = [];
    for (const lease of items) {
      const name = lease.metadata?.annotations?.[GIVEN];
      if (name === undefined || name === owner) continue;
      const renewed = Date.parse(String(lease.spec?.renewTime ?? ''));
      const expires =
        (Number.isNaN(renewed) ? 0 : renewed) + (lease.spec?.leaseDurationSeconds ?? LEASE_SECONDS) * 1000;
      if (expires > now().getTime()) continue;
      const body = this.#document(name, owner);
      if (body.metadata) body.metadata = { ...body.metadata, resourceVersion: lease.metadata?.resourceVersion ?? '' };
      try {
        await api.replaceNamespacedLease({ namespace, name: lease.metadata?.name ?? '', body });
        taken.push(name);
      } catch (error) {
        // Another was faster, or its owner lives after all.
        if (!isStatus(error, 409) && !isStatus(error, 404)) throw error;
      }
    }
    return taken;
  }
}
