/**
 * First program inside a contained pod: gives it the few loopback ports it may reach, each the near end of a Unix socket
 * whose far end the host has fixed, and keeps tunnels open for who speaks to the pod. It decides nothing: whatever the
 * pod makes of it, the host's ends are what lets through. Plain JavaScript, because the pod's Node may be older than ours.
 *
 * Arguments: one JSON `{ out: [{ port, socket }], in: { port, socket } }`, then the command to be run.
 */
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const IDLE_TUNNELS = 4;
const RETRY_MS = 100;
/** Sent by the host when it uses a tunnel, and sent back once the pod's own port has taken the connection. */
const OPEN = Buffer.from([1]);

const [, , given = '{}', ...command] = process.argv;
const ways = JSON.parse(given);

const join = (near, far) => {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
    one.pipe(other);
  }
};

const giveWayOut = ({ port, socket }) =>
  new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, (near) => {
      near.on('error', () => near.destroy());
      join(near, connect({ path: socket, allowHalfOpen: true }));
    });
    server.once('error', reject);
    // The program alone decides how long the process lives.
    server.listen(port, '127.0.0.1', () => resolve(server.unref()));
  });

const keepTunnel = ({ port, socket }) => {
  const tunnel = connect({ path: socket, allowHalfOpen: true }).unref();
  let used = false;
  const again = () => {
    if (!used) setTimeout(() => keepTunnel({ port, socket }), RETRY_MS).unref();
    used = true;
  };
  tunnel.on('error', () => tunnel.destroy());
  tunnel.on('close', again);
  tunnel.once('data', () => {
    used = true;
    keepTunnel({ port, socket });
    tunnel.pause();
    tunnel.ref();
    const own = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    own.once('connect', () => {
      tunnel.write(OPEN);
      join(tunnel, own);
    });
    own.once('error', () => tunnel.destroy());
  });
};

await Promise.all(ways.out.map(giveWayOut));
for (let count = 0; count < IDLE_TUNNELS; count += 1) keepTunnel(ways.in);

// The first process of a namespace ignores what it has no handler for.
process.on('SIGTERM', () => {
  if (process.listenerCount('SIGTERM') === 1) process.exit(128 + constants.signals.SIGTERM);
});

const [program = '', ...args] = command;
if (program === process.execPath && args[0] !== undefined && !args[0].startsWith('-')) {
  // The same Node: no second process, no second heap.
  process.argv = [process.execPath, ...args];
  await import(pathToFileURL(path.resolve(args[0])).href);
} else {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 3] });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('error', (error) => {
    process.stderr.write(`the pod's program cannot be started: ${error.message}\n`);
    process.exit(127);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
