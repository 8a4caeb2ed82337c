/** Starts PostgreSQL in a container: makes the cluster once, then becomes its keeper; the password comes from a mounted file. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const data = '/var/lib/bravo/postgres';
const partial = `${data}.partial`;
const passwordFile = '/etc/bravo/postgres/password';
const programs = '/usr/local/postgres/bin';
const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const fail = (sentence) => {
  process.stderr.write(`postgres: ${sentence}\n`);
  process.exit(1);
};

if (!existsSync(passwordFile)) fail(`there is no password at ${passwordFile}: the Secret is missing or not mounted.`);
if (!existsSync(path.join(data, 'PG_VERSION'))) {
  // Made beside its place and renamed by the shell of initdb's success: a start that broke off leaves no half of a cluster.
  rmSync(partial, { recursive: true, force: true });
  rmSync(data, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const options = ['-D', partial, '-U', 'bravo_admin', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const { status, stderr } = spawnSync(
    path.join(programs, 'initdb'),
    [...options, '--encoding=UTF8', '--locale=C', '--no-instructions'],
    { env: environment, encoding: 'utf8' },
  );
  if (status !== 0) fail(`initdb could not create the cluster: ${String(stderr).trim().split('\n').at(-1)}`);
  const { renameSync, appendFileSync } = await import('node:fs');
  appendFileSync(path.join(partial, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
  renameSync(partial, data);
}

const settings = {
  listen_addresses: '*',
  port: '5432',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '64MB',
  dynamic_shared_memory_type: 'mmap',
  log_timezone: 'UTC',
  timezone: 'UTC',
};
const server = spawn(
  path.join(programs, 'postgres'),
  ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
  { env: environment, stdio: 'inherit' },
);
server.on('error', (error) => fail(`the server cannot be started: ${error.message}`));
// Fast shutdown: open transactions are rolled back, committed ones are kept.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill('SIGINT'));
server.on('exit', (code) => process.exit(code ?? 1));
