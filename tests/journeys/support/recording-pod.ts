/** A pod that keeps every byte it receives: the platform's own agent runtime, with an ear at its sockets. What was recorded is searched for what no pod may hear. */
import { mkdtempSync, chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkout } from '@bravo/tools/stack/checkout';

export interface RecordingPods {
  /** For BRAVO_POD_PROGRAM. */
  readonly program: string;
  /** Takes over what the pods of these processes have kept, again and again, because it goes with them. */
  watch(pids: () => Promise<readonly number[]>): void;
  /** One per socket, HTTP message or WebSocket of any pod so far, in the order of its bytes. */
  recordings(): Promise<Buffer[]>;
  remove(): void;
}

/**
 * Bytes of sockets as they came; bodies once more without their framing, and WebSocket messages once more without their mask.
 * Node hands a server's sockets straight to its parser, so that requests to the pod are taken where they are complete.
 * One file, because a contained pod sees nothing else of the machine.
 */
const PROGRAM = (runtime: string): string => `
import { EventEmitter as KeepEmitter } from 'node:events';
import { appendFileSync as keepBytes, mkdirSync as keepDirectory } from 'node:fs';
import keepHttp from 'node:http';
import keepNet from 'node:net';
{
  const directory = (process.env.HOME ?? '.') + '/heard';
  keepDirectory(directory, { recursive: true });
  const files = new WeakMap();
  let count = 0;
  const keep = (source, bytes) => {
    if (typeof bytes !== 'string' && !(bytes instanceof Uint8Array)) return;
    if (!files.has(source)) files.set(source, directory + '/' + process.hrtime.bigint() + '-' + (count += 1));
    keepBytes(files.get(source), bytes);
  };
  for (const { prototype } of [keepNet.Socket, keepHttp.IncomingMessage]) {
    const push = prototype.push;
    prototype.push = function (chunk, encoding) {
      keep(this, chunk);
      return push.call(this, chunk, encoding);
    };
  }
  const emit = KeepEmitter.prototype.emit;
  KeepEmitter.prototype.emit = function (name, ...args) {
    if (name === 'message') keep(this, args[0]);
    if ((name === 'request' || name === 'upgrade') && this instanceof keepHttp.Server) keep(this, args[0].url + '\\n' + args[0].rawHeaders.join('\\n') + '\\n');
    return emit.call(this, name, ...args);
  };
}
${runtime}`;

const EVERY_MS = 200;

const homeOf = (pid: number): string => /(?:^|\0)HOME=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1] ?? '';

/** The build must be there: the recorder runs the runtime that a pod would. */
export const prepareRecordingPods = (): RecordingPods => {
  const directory = mkdtempSync(path.join(tmpdir(), 'bravo-recording-pod-'));
  const program = path.join(directory, 'recording-pod.mjs');
  chmodSync(directory, 0o755);
  writeFileSync(program, PROGRAM(readFileSync(path.join(checkout, 'apps', 'agent-runtime', 'dist', 'agent-runtime.mjs'), 'utf8')));
  const heard = new Map<string, Buffer>();
  let pidsNow: () => Promise<readonly number[]> = () => Promise.resolve([]);
  let timer: NodeJS.Timeout | undefined;

  const takeOver = (pid: number): void => {
    try {
      // As the pod sees it, wherever that lies on this machine.
      const kept = path.join('/proc', String(pid), 'root', homeOf(pid), 'heard');
      for (const name of readdirSync(kept)) heard.set(`${pid} ${name}`, readFileSync(path.join(kept, name)));
    } catch {
      // It has ended, or not begun to listen.
    }
  };
  const collect = async (): Promise<void> => (await pidsNow()).forEach(takeOver);

  return {
    program,
    watch: (pids) => {
      pidsNow = pids;
      timer = setInterval(() => void collect().catch(() => undefined), EVERY_MS);
    },
    recordings: async () => {
      await collect();
      return [...heard.values()];
    },
    remove: () => {
      clearInterval(timer);
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
