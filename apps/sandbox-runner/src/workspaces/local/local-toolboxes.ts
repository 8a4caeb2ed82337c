/** Toolboxes of this machine: contained where it lets us, which one real start shows; else plain processes, never in production, and it is said. */
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import type { Instance } from '../../executions/oci/instance.ts';
import { claimInstance } from '../../executions/oci/instance.ts';
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
const directoryOf = (instance: Instance): string => `/run/bravo-toolboxes-${instance.id}`;

const openContained = async (settings: LocalToolboxesSettings): Promise<Toolboxes> => {
  const letGo = await claimInstance({ ...settings.instance, id: `${settings.instance.id}-toolboxes` });
  try {
    const toolboxes = await openContainedToolboxes({ ...settings, directory: directoryOf(settings.instance) });
    await (await toolboxes.open()).stop();
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
