/** Deliveries on a real log, through a real egress, to servers with a certificate of a test's own. For specs only. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { createLogger } from '@bravo/chassis';
import { waitUntil } from '@bravo/testing';
import { chooseFreePort } from '@bravo/tools/stack/ports';
import { generate } from 'selfsigned';
import { useEgress } from '../../../egress/src/egress.fixture.ts';
import { createKeyWrapper } from '../contents/wrap-key.ts';
import { reader, useTrail } from '../trail/trail.fixture.ts';
import type { DestinationWanted } from './configure-destinations.ts';
import { createDeliveryArea } from './deliveries.module.ts';
import type { StoredDestination } from './destination.port.ts';

export const admin = reader({ permissions: ['view_content', 'audit_read', 'manage_members'] });

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** `ports`: two of siem.test that the operator listed, and a third that is in no list. */
export const useDeliveries = () => {
  const ports: number[] = [];
  const identity = {} as { trusted: Identity; foreign: Identity };
  const trail = useTrail();
  beforeAll(async () => {
    const made = async (): Promise<Identity> => {
      const { private: key, cert } = await generate([{ name: 'commonName', value: 'siem.test' }], {
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'siem.test' }] }],
      } as never);
      return { key, cert };
    };
    for (let port = 0; port < 3; port += 1) ports.push(await chooseFreePort());
    Object.assign(identity, { trusted: await made(), foreign: await made() });
  });
  const bed = useEgress(
    (name) => (name.endsWith('.test') ? ['127.0.0.1'] : undefined),
    () => ports.slice(0, 2).map((port) => `audit=siem.test:${port}`),
  );
  const running: { stop(): Promise<void> }[] = [];
  const stopAll = async (): Promise<void> => {
    for (const one of running.splice(0)) await one.stop();
  };
  afterEach(stopAll);
  afterAll(stopAll);

  const area = () => {
    const parts = trail.open();
    return createDeliveryArea({
      ...parts,
      ...{
        signer: trail.signer,
        wrapper: createKeyWrapper(new Uint8Array(32)),
        logger: createLogger('audit', 'silent'),
      },
      wayOut: { address: bed.address, sign: bed.sign('audit') },
      timing: {
        lookMs: 20,
        pauseMs: 20,
        patienceMs: 300,
        totalMs: 2_000,
        connectMs: 5_000,
        readMs: 5_000,
        sendMs: 5_000,
      },
    });
  };
  return {
    ...trail,
    ports,
    bed,
    identity,
    area,
    /** As the process that leads would. */
    start: (): { stop(): Promise<void> } => {
      const started = area().start();
      running.push(started);
      return started;
    },
    stopAll,
    add: (url: string, over: Partial<DestinationWanted['settings']> & { secret?: string; from?: string } = {}) => {
      const { secret = '', from = 'beginning', ...settings } = over;
      return area().configure.put(admin, {
        ...{ destinationId: '', secret, from },
        settings: {
          ...{ name: 'SIEM', kind: 'webhook', url, format: 'jsonl', everySeconds: 1, region: '', paused: false },
          certificates: identity.trusted.cert,
          ...settings,
        },
      });
    },
    one: async (): Promise<StoredDestination> => {
      const [view] = await area().configure.list(admin);
      if (!view) throw new Error('there is no destination');
      return view.destination;
    },
    reaches: (index: number) =>
      waitUntil(
        `everything before ${index} delivered`,
        async () => {
          const [view] = await area().configure.list(admin);
          return view?.destination.nextIndex === index;
        },
        { timeoutMs: 60_000 },
      ),
  };
};
