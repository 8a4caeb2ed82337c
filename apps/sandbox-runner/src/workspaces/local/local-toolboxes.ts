/** Toolboxes of this machine: contained where it lets us, which one real start shows; else plain processes, never in production, and it is said. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import type { Instance } from '../../executions/oci/instance.ts';
import { claimInstance, tryToClaim } from '../../executions/oci/instance.ts';
import type { Toolboxes } from '../toolbox.port.ts';
import { openContainedToolboxes } from './contained-toolboxes.ts';
import { openProcessToolboxes } from './process-toolboxes.ts';

export interface LocalToolboxesSettings {
  readonly instance: Instance;
  /** This process's alone. */
  readonly stateDirectory: string;
  readonly ociRuntime: string;
  readonly seccompProfile: string;
  readonly node: string;
  readonly program: string;
  /** Whether plain processes may stand in. */
  readonly insecure: boolean;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : error instanceof Fault ? error.detail : message;
};

/** Outside of the state directory, because that one is closed to other users and the toolboxes' users must pass through. */
const PLACES = '/run';
const PREFIX = 'bravo-toolboxes-';
const directoryOf = ({ id }: Pick<Instance, 'id'>): string => join(PLACES, `${PREFIX}${id}`);
const claimed = (instance: Instance, id = instance.id): Instance => ({ ...instance, id: `${id}-toolboxes` });

/** What runners left that are dead and whose state directory may be gone, so that nobody else would ever look. */
const sweepDead = async (settings: LocalToolboxesSettings): Promise<void> => {
  for (const name of await readdir(PLACES)) {
    const id = name.slice(PREFIX.length);
    if (!name.startsWith(PREFIX) || id === settings.instance.id) continue;
    const letGo = await tryToClaim(claimed(settings.instance, id));
    if (letGo === undefined) continue;
    try {
      await (await openContainedToolboxes({ ...settings, directory: directoryOf({ id }) })).close();
    } finally {
      await letGo();
    }
  }
};

const openContained = async (settings: LocalToolboxesSettings): Promise<Toolboxes> => {
  const letGo = await claimInstance(claimed(settings.instance));
  try {
    const toolboxes = await openContainedToolboxes({ ...settings, directory: directoryOf(settings.instance) });
    await (await toolboxes.open()).stop();
    // It is no reason not to start.
    await sweepDead(settings).catch((err: unknown) =>
      settings.log('what a dead runner left could not be removed', { err }),
    );
    return {
      ...toolboxes,
      describe: () => toolboxes.describe(),
      open: () => toolboxes.open(),
      close: async () => (await toolboxes.close(), letGo()),
    };
  } catch (error) {
    await letGo();
    throw error;
  }
};

/** Opened at the first use; until then nothing is on the machine. */
export const createLocalToolboxes = (settings: LocalToolboxesSettings): Toolboxes => {
  let opened: Promise<Toolboxes> | undefined;
  const open = async (): Promise<Toolboxes> => {
    try {
      return await openContained(settings);
    } catch (error) {
      const reason = reasonOf(error);
      if (!settings.insecure) {
        throw new Fault(
          'sandbox_unavailable',
          `The files of conversations cannot be opened in a sandbox of their own here: ${reason}`,
          { cause: error },
        );
      }
      settings.log('the files of conversations are opened by plain processes: they cannot be contained here', {
        reason,
      });
      return openProcessToolboxes({ ...settings, directory: join(settings.stateDirectory, 'toolboxes'), reason });
    }
  };
  const once = (): Promise<Toolboxes> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    describe: async () => (await once()).describe(),
    open: async () => (await once()).open(),
    close: async () => {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
};
