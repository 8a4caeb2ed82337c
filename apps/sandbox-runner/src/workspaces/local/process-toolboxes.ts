/** Toolboxes as plain processes of our user, where a machine cannot contain them: the files are on its disk, and only the toolbox's own counting limits them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@bravo/faults';
import { askToolbox } from '../ask-toolbox.client.ts';
import type { Toolbox, Toolboxes } from '../toolbox.port.ts';

export interface ProcessToolboxesSettings {
  /** This process's alone. */
  readonly directory: string;
  readonly node: string;
  readonly program: string;
  /** Why they are not contained. */
  readonly reason: string;
}

const READY_MS = 15_000;

const connectTo = (socket: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const connection = connect(socket);
    connection.once('connect', () => resolve(connection));
    connection.once('error', reject);
  });

export const openProcessToolboxes = async (settings: ProcessToolboxesSettings): Promise<Toolboxes> => {
  await rm(settings.directory, { recursive: true, force: true });
  await mkdir(settings.directory, { recursive: true, mode: 0o700 });
  const open = new Set<Toolbox>();
  return {
    describe: () => Promise.resolve({ isolation: 'process', reason: settings.reason }),
    open: async () => {
      const place = join(settings.directory, randomBytes(6).toString('hex'));
      const socket = join(place, 's');
      const volume = join(place, 'volume');
      await mkdir(volume, { recursive: true, mode: 0o700 });
      const child = spawn(settings.node, [settings.program], {
        cwd: volume,
        env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TOOLBOX_VOLUME: volume, TOOLBOX_SOCKET: socket },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const toolbox = new ProcessToolbox(child, socket, async () => {
        open.delete(toolbox);
        await rm(place, { recursive: true, force: true });
      });
      open.add(toolbox);
      await toolbox.ready();
      return toolbox;
    },
    close: async () => {
      await Promise.all([...open].map((toolbox) => toolbox.stop()));
    },
  };
};

class ProcessToolbox implements Toolbox {
  readonly #child: ChildProcess;
  readonly #socket: string;
  readonly #remove: () => Promise<void>;
  readonly #ended: Promise<void>;
  #alive = true;

  constructor(child: ChildProcess, socket: string, remove: () => Promise<void>) {
    this.#child = child;
    this.#socket = socket;
    this.#remove = remove;
    this.#ended = new Promise((resolve) => {
      const over = (): void => {
        this.#alive = false;
        resolve();
      };
      child.once('exit', over);
      child.once('error', over);
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  async ready(): Promise<void> {
    for (const deadline = Date.now() + READY_MS; this.#alive && Date.now() < deadline; await delay(10)) {
      const connection = await connectTo(this.#socket).catch(() => undefined);
      if (connection === undefined) continue;
      connection.destroy();
      return;
    }
    await this.stop();
    throw new Fault(
      'sandbox_unavailable',
      'The program that opens the files of conversations does not start. "./bravo logs sandbox-runner" says more.',
    );
  }

  ask: Toolbox['ask'] = (verb, head, content) => askToolbox(() => connectTo(this.#socket), verb, head, content);

  async stop(): Promise<void> {
    if (this.#alive) this.#child.kill('SIGKILL');
    await this.#ended;
    await this.#remove();
  }
}
