/**
 * Toolboxes in containers of this machine: no network, no file but a volume of limited bytes and entries, a user of its own.
 * The volume is memory, filled from the last snapshot and thrown away with its toolbox.
 */
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Containment,
  type ContainmentSettings,
  INSIDE_VOLUME,
  killProcesses,
  type Launched,
  pidsOfUid,
  removeTraces,
  UidClaims,
} from '@bravo/container-runtime/local';
import { runCommand } from '@bravo/container-runtime/oci';
import { Fault } from '@bravo/faults';
import { WORKSPACE_LIMITS } from '@bravo/workspace-files';
import { askToolbox } from '../ask-toolbox.client.ts';
import type { FilesPlace } from '../../jobs/job-backend.port.ts';
import type { Toolbox, Toolboxes } from '../toolbox.port.ts';

export interface ContainedToolboxesSettings extends ContainmentSettings {
  /** Reachable by every user, and this process's alone. */
  readonly directory: string;
  readonly node: string;
  /** The toolbox as one file. */
  readonly program: string;
}

/** Apart from the users of pods and from the ranges of programs. */
const USERS = { first: 90_000_000, count: 4_000 };
const CLAIMS = '/run/bravo-toolbox-users';
/** Its own heap, a workspace on its way through, and what is written to the volume, which is memory too. */
const MEMORY_BYTES = 320 * 1024 * 1024;
/** Staging, records of writes and the directories around the files need some of their own. */
const VOLUME_BYTES = WORKSPACE_LIMITS.bytes * 2;
const VOLUME_ENTRIES = WORKSPACE_LIMITS.entries * 2;
const READY_MS = 15_000;

export const openContainedToolboxes = async (settings: ContainedToolboxesSettings): Promise<Toolboxes> => {
  await mkdir(settings.directory, { recursive: true });
  await chmod(settings.directory, 0o711);
  const containment = await Containment.prepare(settings.directory, settings, 'toolboxes');
  const places = { volumes: join(settings.directory, 'volumes'), files: join(settings.directory, 'files') };
  for (const directory of Object.values(places)) {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o711);
  }
  await containment.sweep();
  for (const directory of [places.files, places.volumes]) {
    for (const name of await readdir(directory)) await removeMount(join(directory, name));
  }
  return new ContainedToolboxes(settings, containment, places);
};

interface Places {
  readonly volumes: string;
  /** Mounts of the files of each volume alone, for the programs that work on them. */
  readonly files: string;
}

const removeMount = async (volume: string): Promise<void> => {
  await runCommand('umount', ['-l', volume]).catch(() => '');
  await rmdir(volume).catch(() => undefined);
};

class ContainedToolboxes implements Toolboxes {
  readonly #settings: ContainedToolboxesSettings;
  readonly #containment: Containment;
  readonly #places: Places;
  readonly #claims = new UidClaims(CLAIMS, USERS);
  readonly #open = new Set<Toolbox>();

  constructor(settings: ContainedToolboxesSettings, containment: Containment, places: Places) {
    this.#settings = settings;
    this.#containment = containment;
    this.#places = places;
  }

  describe() {
    return Promise.resolve({ isolation: 'contained', reason: '' } as const);
  }

  async open(): Promise<Toolbox> {
    const name = `t${randomBytes(9).toString('hex')}`;
    const volume = join(this.#places.volumes, name);
    const files = join(this.#places.files, name);
    await mkdir(volume, { mode: 0o711 });
    await mkdir(files, { mode: 0o711 });
    // The claim is free again as soon as the volume is gone, also when this process died.
    const uid = await this.#claims.take(volume);
    const undo = async (): Promise<void> => {
      await killProcesses(() => pidsOfUid(uid), name);
      await removeTraces(this.#containment.traces(name));
      await removeMount(files);
      await removeMount(volume);
      await this.#claims.release(uid);
    };
    try {
      const options = [
        `size=${VOLUME_BYTES}`,
        `nr_inodes=${VOLUME_ENTRIES}`,
        'nosuid',
        'nodev',
        'mode=0700',
        `uid=${uid}`,
        `gid=${uid}`,
      ];
      await runCommand('mount', ['-t', 'tmpfs', '-o', options.join(','), 'bravo-workspace', volume]);
      // Bound before anything of the conversation runs: whatever the toolbox makes of the name later, this mount stays where it is.
      await mkdir(join(volume, 'files'), { mode: 0o700 });
      await chown(join(volume, 'files'), uid, uid);
      await runCommand('mount', ['--bind', join(volume, 'files'), files]);
      const launched = await this.#containment.start(
        {
          name,
          labels: {},
          command: [this.#settings.node, this.#settings.program],
          env: { TOOLBOX_VOLUME: INSIDE_VOLUME },
          secret: { value: '', sourceVariable: 'TOOLBOX_SECRET' },
          listen: { hostVariable: 'TOOLBOX_HOST', portVariable: 'TOOLBOX_PORT' },
          reaches: [],
          memoryLimitBytes: MEMORY_BYTES,
        },
        uid,
        { volume },
      );
      const toolbox = new ContainedToolbox(launched, { directory: files, uid }, async () => {
        this.#open.delete(toolbox);
        await undo();
      });
      this.#open.add(toolbox);
      await toolbox.ready();
      return toolbox;
    } catch (error) {
      await undo();
      throw error instanceof Fault
        ? error
        : new Fault('sandbox_unavailable', 'The files of the conversation cannot be opened in their sandbox.', {
            cause: error,
          });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((toolbox) => toolbox.stop()));
    await this.#containment.close();
    await rm(this.#settings.directory, { recursive: true, force: true });
  }
}

class ContainedToolbox implements Toolbox {
  readonly files: FilesPlace;
  readonly #launched: Launched;
  readonly #undo: () => Promise<void>;
  #said = '';
  #alive = true;
  #stopped: Promise<void> | undefined;

  constructor(launched: Launched, files: FilesPlace, undo: () => Promise<void>) {
    this.#launched = launched;
    this.files = files;
    this.#undo = undo;
    const { child } = launched;
    (child.stdio[3] as NodeJS.WritableStream).on('error', () => undefined).end();
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#said = (this.#said + chunk.toString()).slice(-2_000)));
    }
    const over = (): void => {
      this.#alive = false;
    };
    child.once('exit', over);
    child.once('error', over);
  }

  get alive(): boolean {
    return this.#alive;
  }

  async ready(): Promise<void> {
    for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await delay(5)) {
      if (!this.#alive) throw new Error(`the toolbox ended: ${this.#said.trim()}`);
      if (await this.#launched.serves()) return;
    }
    throw new Error('the toolbox does not answer');
  }

  ask: Toolbox['ask'] = (verb, head, content) => askToolbox(() => this.#launched.connect(), verb, head, content);

  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      this.#alive = false;
      this.#launched.child.kill('SIGKILL');
      await this.#launched.close();
      await this.#undo();
    })();
    return this.#stopped;
  }
}
