/** Where no image is: a read-only root of the host's programs and libraries, an /etc of ours, and nothing else of the host. */
import { chmod, cp, lstat, readlink, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '../sandbox-backend.port.ts';
import type { HostBind } from '@bravo/container-runtime/oci';
import { INSIDE_ID } from './bundle-config.ts';
import type { LanguageRoot, LanguageRoots } from './language-roots.ts';
import { createDirectory } from './create-directory.ts';
import { bindReadOnly } from './mounts.ts';

const SYSTEM_DIRECTORIES = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
const EMPTY_DIRECTORIES = [
  '.',
  'dev',
  'dev/shm',
  'etc',
  'opt',
  'opt/node',
  'opt/node/bin',
  'proc',
  'run',
  'tmp',
  'usr',
  'var',
  'var/tmp',
  'workspace',
];
const INSIDE_NODE = '/opt/node/bin/node';

const ETC: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:/:/bin/false\nsandbox:x:${INSIDE_ID}:${INSIDE_ID}:sandbox:/tmp:/bin/bash\n`,
  group: `root:x:0:\nsandbox:x:${INSIDE_ID}:\n`,
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  hostname: 'sandbox\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  'resolv.conf': '',
};

const kindOf = async (path: string): Promise<'link' | 'directory' | 'file' | 'missing'> => {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return 'link';
    return stats.isDirectory() ? 'directory' : 'file';
  } catch {
    return 'missing';
  }
};

const writeEtc = async (directory: string): Promise<HostBind[]> => {
  await createDirectory(directory, 0o755);
  await createDirectory(join(directory, 'alternatives'), 0o755);
  for (const [name, text] of Object.entries(ETC)) {
    await writeFile(join(directory, name), text);
    await chmod(join(directory, name), 0o644);
  }
  // Where libraries live beyond the built-in directories; it holds paths and nothing private.
  if ((await kindOf('/etc/ld.so.cache')) === 'file') {
    await cp('/etc/ld.so.cache', join(directory, 'ld.so.cache'));
    await chmod(join(directory, 'ld.so.cache'), 0o644);
  }
  const binds: HostBind[] = [{ source: directory, destination: '/etc' }];
  // Debian's `awk`, `editor` and the like are links through here.
  if ((await kindOf('/etc/alternatives')) === 'directory') {
    binds.push({ source: '/etc/alternatives', destination: '/etc/alternatives' });
  }
  return binds;
};

/** First candidate that exists and ends under /usr, whose files every user may read. */
const underUsr = async (candidates: readonly string[]): Promise<string | undefined> => {
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => '');
    if (real.startsWith('/usr/')) return candidate;
  }
  return undefined;
};

/**
 * Builds the root under `directory` (traversable by every user, because the run's own users must reach it).
 * Mounts at most one file there, the node program, because that one may lie where only we can read.
 */
export const rootOfHostPrograms = async (directory: string, nodeProgram: string): Promise<LanguageRoots> => {
  const root = join(directory, 'root');
  for (const name of EMPTY_DIRECTORIES) await createDirectory(join(root, name), 0o755);
  // runc gives what it mounts the mode of what it mounts over.
  await createDirectory(join(root, 'tmp'), 0o1777);
  const binds: HostBind[] = [{ source: '/usr', destination: '/usr' }];
  for (const name of SYSTEM_DIRECTORIES) {
    const kind = await kindOf(`/${name}`);
    if (kind === 'link') {
      if ((await kindOf(join(root, name))) === 'missing') await symlink(await readlink(`/${name}`), join(root, name));
    } else if (kind === 'directory') {
      await createDirectory(join(root, name), 0o755);
      binds.push({ source: `/${name}`, destination: `/${name}` });
    }
  }
  binds.push(...(await writeEtc(join(directory, 'etc'))));

  const found = new Map<Language, LanguageRoot>();
  const missing = new Map<Language, string>();
  const offer = (language: Language, interpreter: string | undefined, remedy: string): void => {
    if (interpreter === undefined) missing.set(language, remedy);
    else found.set(language, { root, binds, interpreter });
  };
  offer(
    'python',
    await underUsr(['/usr/bin/python3', '/usr/local/bin/python3']),
    'No python3 was found under /usr. Install one, for example: apt-get install -y python3',
  );
  offer(
    'bash',
    await underUsr(['/usr/bin/bash', '/usr/local/bin/bash', '/bin/bash']),
    'No bash was found under /usr. Install one, for example: apt-get install -y bash',
  );
  const node = await realpath(nodeProgram).catch(() => undefined);
  if (node !== undefined) {
    await writeFile(join(root, INSIDE_NODE), '');
    const staged = join(directory, 'node');
    await writeFile(staged, '', { mode: 0o755 });
    await bindReadOnly(node, staged);
    binds.push({ source: staged, destination: INSIDE_NODE });
  }
  offer(
    'node',
    node === undefined ? undefined : INSIDE_NODE,
    `The node program ${nodeProgram} does not exist. Run npm ci, or set BRAVO_SANDBOX_NODE to one.`,
  );
  return { found, missing };
};
