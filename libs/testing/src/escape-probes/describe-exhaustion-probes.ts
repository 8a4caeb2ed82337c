/** Rows 46 to 53 of the escape probes: what a program meets that uses up bytes, files, descriptors, depth, locked memory and processes of its place. */
import { describe, expect, it } from '@jest/globals';
import { told } from './told.ts';

export interface ExhaustiblePlace {
  /** Runs Python in the place, in a directory of its own that may be written, and resolves with its standard output. */
  run(code: string): Promise<string>;
  /** What fits into each directory that may be written and is empty. */
  readonly room: Readonly<Record<string, { readonly mib: number; readonly files: number }>>;
  /** Size of the largest file. */
  readonly fileMib: number;
  readonly descriptors: number;
  /** How many processes, or threads, a program can have beside itself: between these. */
  readonly processes: readonly [number, number];
}

const fill = (directory: string, mib: number): string =>
  `d = '${directory}'
n = 0
try:
  for part in range(${mib} // 8 + 1):
    with open('%s/fill%d' % (d, part), 'wb') as f:
      for _ in range(128): n += f.write(b'x' * 65536)
except OSError as e: said[d] = [round(n / 2**20), errno.errorcode[e.errno]]
for name in os.listdir(d):
  if name.startswith('fill'): os.truncate(d + '/' + name, 0); os.remove(d + '/' + name)`;

const many = (directory: string): string =>
  `d = '${directory}'
n = 0
try:
  while n < 20000: open('%s/i%d' % (d, n), 'w').close(); n += 1
except OSError as e: said[d] = [n, errno.errorcode[e.errno]]
for i in range(n): os.remove('%s/i%d' % (d, i))`;

const SPARSE = (mib: number): string =>
  `open('f', 'w').close()
attempt('a terabyte', lambda: os.truncate('f', 2**40))
attempt('most', lambda: os.truncate('f', ${mib} * 2**20))
attempt('more', lambda: os.truncate('f', ${mib} * 2**20 + 1))
os.remove('f')`;

const DESCRIPTORS = `import resource
fds = []
try:
  while True: fds.append(os.open('/dev/null', 0))
except OSError as e: error = errno.errorcode[e.errno]
said['highest'] = max(fds)
said['error'] = error
for fd in fds: os.close(fd)
try: resource.setrlimit(resource.RLIMIT_NOFILE, (65536, 65536))
except ValueError: said['more'] = 'refused'`;

const NAMES = `for name in ('a' * 255, 'a' * 256, b'\\xff', 'new\\nline', 'esc\\x1b', '-rf'):
  attempt(repr(name)[:12] + str(len(name)), lambda: open(name, 'w').close())
  if os.path.exists(name): os.remove(name)`;

const DEEP = `start = os.getcwd()
for _ in range(2000): os.mkdir('d'); os.chdir('d')
said['dug'] = True
for _ in range(2000): os.chdir('..'); os.rmdir('d')
said['back'] = os.getcwd() == start`;

const LOCKED = `import ctypes
libc = ctypes.CDLL(None, use_errno=True)
said['mlockall'] = libc.syscall(151, 1) and errno.errorcode[ctypes.get_errno()]`;

const BOMBS = `import threading, time
pids = []
try:
  while len(pids) < 2000:
    pid = os.fork()
    if pid == 0: time.sleep(60); os._exit(0)
    pids.append(pid)
except OSError as e: said['fork'] = errno.errorcode[e.errno]
said['children'] = len(pids)
for pid in pids: os.kill(pid, 9); os.waitpid(pid, 0)
n = 0
stop = threading.Event()
try:
  while n < 2000: threading.Thread(target=stop.wait, daemon=True).start(); n += 1
except RuntimeError: said['threads'] = n
stop.set()`;

export const describeExhaustionProbes = (place: ExhaustiblePlace): void => {
  const ask = async (lines: string): Promise<Record<string, unknown>> =>
    JSON.parse(await place.run(told(lines))) as Record<string, unknown>;
  const rooms = Object.entries(place.room);

  describe('a program that exhausts what it has meets the exact limit', () => {
    it.each(rooms)('probe 46: bytes of %s', async (directory, { mib }) => {
      expect(await ask(fill(directory, mib))).toEqual({ [directory]: [mib, 'ENOSPC'] });
    });

    it.each(rooms)('probe 47: files of %s', async (directory, { files }) => {
      expect(await ask(many(directory))).toEqual({ [directory]: [files, 'ENOSPC'] });
    });

    it('probe 48: a file of a terabyte', async () => {
      expect(await ask(SPARSE(place.fileMib))).toEqual({ 'a terabyte': 'EFBIG', most: null, more: 'EFBIG' });
    });

    it('probe 49: descriptors', async () => {
      const expected = { highest: place.descriptors - 1, error: 'EMFILE', more: 'refused' };
      expect(await ask(DESCRIPTORS)).toEqual(expected);
    });

    it('probe 50: names', async () => {
      expect(await ask(NAMES)).toEqual({
        "'aaaaaaaaaaa255": null,
        "'aaaaaaaaaaa256": 'ENAMETOOLONG',
        "b'\\xff'1": null,
        "'new\\nline'8": null,
        "'esc\\x1b'4": null,
        "'-rf'3": null,
      });
    });

    it('probe 51: directories two thousand deep', async () => {
      expect(await ask(DEEP)).toEqual({ dug: true, back: true });
    });

    it('probe 52: locked memory', async () => {
      expect(await ask(LOCKED)).toEqual({ mlockall: 'EPERM' });
    });

    it('probe 53: processes and threads', async () => {
      const said = await ask(BOMBS);
      const [least, most] = place.processes;
      expect(said).toMatchObject({ fork: 'EAGAIN' });
      for (const count of [said['children'], said['threads']]) {
        expect(count).toBeGreaterThanOrEqual(least);
        expect(count).toBeLessThanOrEqual(most);
      }
    });
  });
};
