/** What every SandboxBackend must do for an honest program and to a greedy one; the escape probes are a suite of their own. */
import { describe, expect, it } from '@jest/globals';
import { runIn } from './run-in.fixture.ts';
import { HARVEST_LIMITS, OUTPUT_LIMIT_BYTES, type InputFile, type SandboxBackend } from './sandbox-backend.port.ts';

const file = (path: string, content: string, mode = 0o644): InputFile => ({
  path,
  content: Buffer.from(content),
  mode,
});
const text = (content: Uint8Array) => Buffer.from(content).toString('utf8');

export const describeSandboxBackend = (open: () => SandboxBackend): void => {
  describe('an honest program', () => {
    it('finds three languages', async () => {
      expect(await open().describe()).toMatchObject({ available: true, reason: '' });
      expect([...(await open().describe()).languages].sort()).toEqual(['bash', 'node', 'python']);
    });

    it.each([
      ['python', "import sys; print(6*7); print('e', file=sys.stderr); sys.exit(3)"],
      ['node', "console.log(6*7); console.error('e'); process.exit(3)"],
      ['bash', 'echo $((6*7)); echo e >&2; exit 3'],
    ] as const)('in %s prints on two streams and ends with its code', async (language, code) => {
      expect(await runIn(open(), { language, code })).toMatchObject({
        outcome: 'ok',
        exitCode: 3,
        signal: '',
        stdout: '42\n',
        stderr: 'e\n',
        started: true,
        oomKilled: false,
        timedOut: false,
        files: [],
        skipped: [],
        stdoutTruncated: false,
        stderrTruncated: false,
      });
    });

    it('uses what interpreters usually use', async () => {
      const python =
        "import sqlite3,threading,subprocess,multiprocessing,tempfile,ssl,json\nif __name__=='__main__':\n with multiprocessing.Pool(2) as p: print(sum(p.map(abs,[-1,-2])))\n print(subprocess.check_output(['sh','-c','echo sub | tr a-z A-Z']).decode().strip(), sqlite3.connect(':memory:').execute('select 7').fetchone()[0])";
      expect(await runIn(open(), { language: 'python', code: python })).toMatchObject({
        stdout: '3\nSUB 7\n',
        exitCode: 0,
        stderr: '',
      });
      const node =
        "const {Worker}=require('worker_threads');const s=require('http').createServer((q,r)=>r.end('own')).listen(0,async()=>{console.log(await (await fetch('http://127.0.0.1:'+s.address().port)).text());s.close();new Worker('console.log(require(\"child_process\").execSync(\"echo worker\").toString().trim())',{eval:true})})";
      expect(await runIn(open(), { language: 'node', code: node })).toMatchObject({
        stdout: 'own\nworker\n',
        exitCode: 0,
        stderr: '',
      });
      const bash =
        "tar cf - . | gzip | gunzip | tar tf - >/dev/null; echo x | awk '{print $1}' > /dev/stderr; cat <(echo sub)";
      expect(await runIn(open(), { code: bash })).toMatchObject({ stdout: 'sub\n', stderr: 'x\n', exitCode: 0 });
    });

    it('has its input files beside it, and new and changed ones come out', async () => {
      const files = [
        file('lib.py', 'value = 5'),
        file('data/in.txt', 'same'),
        file('data/edit.txt', 'old'),
        file('main.py', 'print("mine")'),
        file('run.sh', 'echo ran', 0o755),
      ];
      const code =
        "import lib, subprocess, os\nprint(lib.value, subprocess.check_output(['./run.sh']).decode().strip() if os.access('run.sh', os.X_OK) else '')\nopen('data/edit.txt','w').write('new'); os.makedirs('out/deep'); open('out/deep/b','wb').write(bytes([0,255]))\nopen('tool','w').write('#!x'); os.chmod('tool', 0o4777); os.remove('data/in.txt')\nopen('main.py')";
      const result = await runIn(open(), {
        language: 'python',
        code: code.replace("['./run.sh']", "['sh','./run.sh']"),
        files,
      });
      expect(result).toMatchObject({ stdout: '5 ran\n', exitCode: 0, stderr: '', skipped: [] });
      expect(result.files.map(({ path, mode }) => [path, mode])).toEqual([
        ['data/edit.txt', 0o644],
        ['out/deep/b', 0o644],
        ['tool', 0o755],
      ]);
      expect([...(result.files[1]?.content ?? [])]).toEqual([0, 255]);
    });

    it('has the environment that was named and none of ours [credentials.environment]', async () => {
      const { stdout } = await runIn(open(), { code: 'env -0', env: { GREETING: 'a b\n"$x"', HOME: '/workspace' } });
      const set = stdout.split('\0').slice(0, -1);
      expect(set).toEqual(expect.arrayContaining(['GREETING=a b\n"$x"', 'HOME=/workspace']));
      const known = [
        'GREETING',
        'HOME',
        'LANG',
        'PATH',
        'PWD',
        'SHLVL',
        'TMPDIR',
        'PYTHONDONTWRITEBYTECODE',
        'PYTHONUNBUFFERED',
        '_',
        'OLDPWD',
        'HOSTNAME',
        'container',
      ];
      expect(set.filter((variable) => !known.includes(variable.split('=')[0] ?? ''))).toEqual([]);
    });

    it('that is ended by a signal of its own says which', async () => {
      expect(await runIn(open(), { code: 'kill -KILL $$' })).toMatchObject({
        outcome: 'ok',
        exitCode: 137,
        signal: 'SIGKILL',
        oomKilled: false,
      });
      expect(await runIn(open(), { language: 'node', code: 'process.abort()' })).toMatchObject({
        outcome: 'ok',
        exitCode: 134,
        signal: 'SIGABRT',
      });
    });
  });

  describe('a greedy program', () => {
    it('is ended with its whole tree at the deadline, whatever it ignores (probe 60)', async () => {
      const code = `trap '' TERM INT HUP; marker() { exec -a bravo-survivor-${process.pid} sleep 100; }\n(setsid bash -c 'trap "" TERM; sleep 100' &) ; (marker &); nohup sleep 100 & echo before; while :; do :; done`;
      const result = await runIn(open(), { code, limits: { timeoutSeconds: 1 } });
      expect(result.durationMs).toBeLessThan(2_000);
      expect(result).toMatchObject({
        outcome: 'timed_out',
        timedOut: true,
        oomKilled: false,
        exitCode: 137,
        signal: 'SIGKILL',
        stdout: 'before\n',
      });
      expect(result.durationMs).toBeGreaterThanOrEqual(990);
    });

    it('is ended by a cancel within a moment, and one that was cancelled before never starts', async () => {
      const abort = new AbortController();
      let began = 0;
      const onOutput = () => {
        began = Date.now();
        abort.abort();
      };
      const cut = runIn(open(), { code: 'echo a > f; echo up; sleep 30', signal: abort.signal, onOutput });
      expect(await cut).toMatchObject({ outcome: 'cancelled', files: [{ path: 'f' }] });
      expect(Date.now() - began).toBeLessThan(2_000);
      expect(await runIn(open(), { code: 'echo ran', signal: AbortSignal.abort() })).toMatchObject({
        outcome: 'cancelled',
        stdout: '',
      });
    });

    it('does not outlive its first process', async () => {
      const result = await runIn(open(), { code: '(sleep 30; echo late) & echo done' });
      expect(result).toMatchObject({ outcome: 'ok', exitCode: 0, stdout: 'done\n' });
      expect(result.durationMs).toBeLessThan(2_000);
    });

    it('gets no more of the processor than allowed', async () => {
      const code = 'import time\nt=time.time()\nwhile time.time()-t<1: pass\nprint(time.process_time())';
      const { stdout } = await runIn(open(), { language: 'python', code, limits: { cpu: 0.3 } });
      expect(Number(stdout)).toBeLessThan(0.5);
    });

    it('may print exactly the limit', async () => {
      const result = await runIn(open(), { code: `head -c ${OUTPUT_LIMIT_BYTES} /dev/zero | tr '\\0' x` });
      expect(result).toMatchObject({ outcome: 'ok', exitCode: 0, stdoutTruncated: false });
      expect(result.stdout).toHaveLength(OUTPUT_LIMIT_BYTES);
    });
  });

  describe('what a hostile program leaves', () => {
    it('is named by reason and never followed or opened', async () => {
      const code = [
        'import os, socket, stat',
        "os.symlink('/etc/shadow','link'); os.symlink('/','dirlink'); os.symlink('../../../../etc','up'); os.symlink('loop','loop')",
        "os.mkfifo('fifo'); s=socket.socket(socket.AF_UNIX); s.bind('sock')",
        "open(b'bad\\xff','w').write('x'); open('new\\nline','w').write('x'); open('bidi\\u202e','w').write('x'); open('esc\\x1b[2J','w').write('x')",
        "with open('sparse','wb') as f: f.truncate(50*2**20)",
        "open('locked','w').write('l'); os.chmod('locked', 0)",
        "d='deep'\nfor _ in range(40): d+='/d'\nos.makedirs(d); open(d+'/f','w').write('x')",
        "open('-rf','w').write('r'); open('__proto__','w').write('p'); open('..dots','w').write('d')",
        "os.link('-rf','hard')",
      ].join('\n');
      const result = await runIn(open(), { language: 'python', code });
      expect(result).toMatchObject({ outcome: 'ok', exitCode: 0, stderr: '' });
      expect(result.files.map(({ path, content }) => [path, text(content)])).toEqual([
        ['-rf', 'r'],
        ['..dots', 'd'],
        ['__proto__', 'p'],
        ['hard', 'r'],
        ['locked', 'l'],
      ]);
      const reasons = Object.fromEntries(
        result.skipped.map(({ path, reason }) => [path.startsWith('deep') ? 'deep' : path, reason]),
      );
      expect(reasons).toEqual({
        link: 'symlink',
        dirlink: 'symlink',
        up: 'symlink',
        loop: 'symlink',
        fifo: 'fifo',
        sock: 'socket',
        'bad\\xff': 'bad_name',
        'new\\x0aline': 'bad_name',
        'bidi\\xe2\\x80\\xae': 'bad_name',
        'esc\\x1b[2J': 'bad_name',
        sparse: 'too_large',
        deep: 'directory_too_deep',
      });
    });

    it('is carried up to the limits and named beyond them', async () => {
      const many = await runIn(open(), { code: 'for i in {1..300}; do echo $i > f$i; done' });
      expect(many.files).toHaveLength(HARVEST_LIMITS.files);
      expect(many.skipped).toHaveLength(300 - HARVEST_LIMITS.files);
      expect(new Set(many.skipped.map(({ reason }) => reason))).toEqual(new Set(['too_many']));
      const large = await runIn(open(), {
        code: 'for i in 1 2 3; do head -c 4M /dev/zero > f$i; done; head -c 4194305 /dev/zero > g',
      });
      expect(large.files.map(({ path, content }) => [path, content.length])).toEqual([
        ['f1', 4194304],
        ['f2', 4194304],
      ]);
      expect(large.skipped).toEqual([
        { path: 'f3', reason: 'too_large' },
        { path: 'g', reason: 'too_large' },
      ]);
    });
  });
};
