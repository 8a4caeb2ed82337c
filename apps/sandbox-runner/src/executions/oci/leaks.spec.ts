/** What a program still learns of the machine, line by line as docs/guarantees.md says it, and that it learns nothing else from /proc: a new file there is to be masked, or said. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runIn } from '../run-in.fixture.ts';
import { instanceOf } from './instance.ts';
import { obstacleHere } from './obstacle.fixture.ts';
import { OciSandbox } from './oci-sandbox.ts';
import { settingsHere } from './settings-here.fixture.ts';

const LOOK = `
import json, os, time
def text(path):
  try: return open(path).read()
  except OSError as e: return e.__class__.__name__
said = {name: text('/proc/' + name) for name in ('version', 'cmdline', 'cpuinfo', 'partitions', 'meminfo', 'loadavg', 'uptime', 'diskstats', 'stat', 'sys/kernel/random/boot_id', 'self/mountinfo', 'self/uid_map', 'self/cgroup', 'sys/kernel/hostname')}
said['release'] = os.uname().release
said['node'] = os.uname().nodename
said['clock'] = time.time()
said['answers'] = []
for name in sorted(os.listdir('/proc')):
  path = '/proc/' + name
  if name.isdigit() or os.path.islink(path) or os.path.isdir(path): continue
  try:
    if os.read(os.open(path, os.O_RDONLY | os.O_NONBLOCK), 16): said['answers'].append(name)
  except OSError: pass
said['elsewhere'] = [p for p in ('/sys', '/etc/machine-id', '/etc/resolv.conf', '/var/log', '/boot', '/proc/sys/kernel/random/uuid') if os.path.exists(p) and (os.path.isdir(p) or os.path.getsize(p) > 0)]
print(json.dumps(said))`;

/** Top-level files of /proc that answer, as the page names them, and those that say the same of every machine with this kernel. */
const TOLD = ['cmdline', 'cpuinfo', 'diskstats', 'loadavg', 'meminfo', 'partitions', 'stat', 'uptime', 'version'];
const OF_THE_KERNEL =
  'buddyinfo cgroups consoles crypto devices execdomains fb filesystems iomem ioports locks misc mtrr pagetypeinfo schedstat swaps version_signature vmstat zoneinfo bootconfig dma kpagecgroup lockdep lockdep_stats lock_stat mdstat pressure sysrq-trigger'.split(
    ' ',
  );

(obstacleHere() === '' ? describe : describe.skip)('what a program still learns of the machine', () => {
  let directory: string;
  let sandbox: OciSandbox;
  let said: Record<string, string> & { answers: string[]; elsewhere: string[]; clock: number };
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'bravo-sandbox-'));
    sandbox = new OciSandbox(settingsHere(directory));
    const { stdout, stderr } = await runIn(sandbox, { language: 'python', code: LOOK });
    expect(stderr).toBe('');
    said = JSON.parse(stdout) as typeof said;
  }, 60_000);
  afterAll(async () => {
    await sandbox.close();
    rmSync(directory, { recursive: true });
  });
  const host = (name: string): string => readFileSync(`/proc/${name}`, 'utf8');

  it("is the kernel's version and command line, its boot id and uptime", () => {
    expect(said['release']).toBe(release());
    for (const name of ['version', 'cmdline', 'sys/kernel/random/boot_id'])
      expect([name, said[name]]).toEqual([name, host(name)]);
    expect(Number(said['uptime']?.split(' ')[0])).toBeGreaterThan(0);
  });

  it('is the processors, the memory, the load and the partitions', () => {
    const line = (text: string | undefined, start: string) => text?.split('\n').find((each) => each.startsWith(start));
    expect(line(said['cpuinfo'], 'model name')).toBe(line(host('cpuinfo'), 'model name'));
    expect(line(said['meminfo'], 'MemTotal')).toBe(line(host('meminfo'), 'MemTotal'));
    expect(said['partitions']).toBe(host('partitions'));
    expect(said['loadavg']).toMatch(/^\d+\.\d\d \d+\.\d\d \d+\.\d\d /);
    expect(said['stat']).toMatch(/^cpu /);
  });

  it('is the path of its root, which names the image or else the instance, and its range of ids', () => {
    const images = process.env['BRAVO_TEST_SANDBOX_IMAGES'] ?? '';
    const root = said['self/mountinfo']?.split('\n').find((line) => line.split(' ')[4] === '/');
    expect(root).toContain(images === '' ? instanceOf(directory).id : `${path.basename(images)}/python`);
    expect(said['self/mountinfo']).not.toContain(directory);
    const [inside, outside, size] = (said['self/uid_map'] ?? '').trim().split(/\s+/).map(Number);
    expect([inside, size]).toEqual([0, 65_536]);
    expect(outside).toBeGreaterThanOrEqual(200_000_000);
  });

  it('is the time', () => expect(Math.abs(said.clock - Date.now() / 1_000)).toBeLessThan(120));

  it('is no name, group, configuration or file of the host', () => {
    expect([said['node'], said['sys/kernel/hostname']?.trim()]).toEqual(['sandbox', 'sandbox']);
    for (const line of (said['self/cgroup'] ?? '').trim().split('\n')) expect(line).toMatch(/:\/$/);
    expect(said.elsewhere).toEqual([]);
  });

  it('is nothing else at the top of /proc, and the page says each [sandbox.leaks]', () => {
    expect(said.answers.filter((name) => ![...TOLD, ...OF_THE_KERNEL].includes(name))).toEqual([]);
    const page = readFileSync(fileURLToPath(new URL('../../../../../docs/guarantees.md', import.meta.url)), 'utf8');
    const section = page.slice(page.indexOf('## What a program in the sandbox still learns'));
    for (const name of [
      ...TOLD.filter((each) => each !== 'uptime'),
      'boot id',
      'uptime',
      'mountinfo',
      'uid_map',
      'clock',
    ])
      expect([name, section.includes(name)]).toEqual([name, true]);
  });
});
