/** Exports in every format, proven by the standalone program on another path and by Go's own implementation of the same formats. */
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '@bravo/tools/stack/checkout';
import type { EntryFilter } from '../trail/entries.port.ts';
import { member, numbered, reader, useTrail } from '../trail/trail.fixture.ts';
import { createExportEntries } from './export-entries.ts';
import { EXPORT_FORMATS } from './export-line.ts';

const run = promisify(execFile);
const trail = useTrail();
const directory = mkdtempSync(path.join(tmpdir(), 'bravo-export-'));
afterAll(() => rmSync(directory, { recursive: true }));
const verifierKey = () => trail.signer.verifierKey('bravo/ws_a');

/** Where nothing of the checkout is near: the program as it is shipped, and files. */
const program = path.join(directory, 'verify', 'main.ts');
beforeAll(() => {
  cpSync(path.join(checkout, 'apps', 'bravo-verify', 'src'), path.dirname(program), { recursive: true });
  writeFileSync(path.join(directory, 'package.json'), '{"type":"module"}');
});

const verify = async (file: string, ...args: string[]) => {
  const { stdout, stderr } = await run(process.execPath, [program, file, '--json', ...args], { env: {} }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as {
    ok: boolean;
    problem: string;
    entries: number;
    firstBadIndex: number;
    compared: number[];
    whole: boolean;
    notes: string[];
  };
};

const exportAs = async (format: string, filter: EntryFilter = {}, older: number[] = []): Promise<string> => {
  let text = '';
  for await (const piece of createExportEntries({ ...trail.open(), signer: trail.signer })(reader(), {
    format,
    filter,
    older,
  }))
    text += piece;
  const file = path.join(directory, `trail.${format}`);
  writeFileSync(file, text);
  return file;
};

/** 300 entries, so that proofs cross kept nodes; words that every format has to escape. */
const grow = async (): Promise<void> => {
  await trail.recordMany(...numbered(100));
  const kept = await trail.open().signCheckpoint('ws_a');
  writeFileSync(path.join(directory, '100.note'), kept?.note ?? '');
  const awkward = { reason: 'a=b|c\\d "e", =f\n\r\t\u{1F600} ; {}' };
  await trail.recordMany(...numbered(300).slice(100, 299), {
    seq: 300,
    type: 'agent.conversation.ended',
    actor: '=cmd|calc',
    data: awkward,
  });
  await trail.open().signCheckpoint('ws_a');
};

describe('an export', () => {
  it.each(EXPORT_FORMATS)(
    'as %s verifies offline, with what was kept, and shows a change [trail.export]',
    async (format) => {
      await grow();
      const file = await exportAs(format);
      const kept = ['--key', verifierKey(), '--checkpoint', path.join(directory, '100.note'), '--deep'];
      expect(await verify(file, ...kept)).toMatchObject({
        ok: true,
        problem: '',
        entries: 300,
        whole: true,
        compared: [100],
      });

      const text = readFileSync(file, 'utf8');
      const spoil = async (change: (text: string) => string) => {
        const spoilt = path.join(directory, 'spoilt');
        writeFileSync(spoilt, change(text));
        return verify(spoilt, ...kept);
      };
      expect(await spoil((all) => all.replace(/title_bytes([\\"]+):7\b/, 'title_bytes$1:8'))).toMatchObject({
        ok: false,
        firstBadIndex: 6,
      });
      expect(
        await spoil((all) =>
          all
            .split('\n')
            .filter((line) => !/title_bytes[\\"]+:7\b/.test(line))
            .join('\n'),
        ),
      ).toMatchObject({ ok: false, firstBadIndex: 6, problem: 'Entry 6 is missing.' });
      expect((await spoil((all) => all.slice(0, all.trimEnd().lastIndexOf('\n') + 1))).problem).toMatch(/cut off/);
    },
  );

  it.each(['csv', 'ocsf', 'cef'])('as %s: what the readable columns say is compared deeply', async (format) => {
    await grow();
    const file = await exportAs(format);
    const at = { csv: '"user:usr_alice",', ocsf: '"uid":"user:usr_alice"', cef: 'suser=user:usr_alice' }[format] ?? '';
    writeFileSync(file, readFileSync(file, 'utf8').replace(at, at.replace('alice', 'mallory')));
    expect((await verify(file, '--key', verifierKey())).ok).toBe(true);
    expect(await verify(file, '--key', verifierKey(), '--deep')).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/actor of entry 0/),
    });
  });

  it('of a selection proves each entry, and with older sizes that nothing before was changed', async () => {
    await grow();
    const file = await exportAs('jsonl', { type: 'agent.conversation.ended' }, [100]);
    const found = await verify(file, '--key', verifierKey(), '--checkpoint', path.join(directory, '100.note'));
    expect(found).toMatchObject({ ok: true, entries: 1, whole: false, compared: [100] });
    expect(found.notes.join(' ')).toMatch(/a selection/);
    const without = await verify(
      await exportAs('jsonl', { type: 'agent.conversation.ended' }),
      '--key',
      verifierKey(),
      '--checkpoint',
      path.join(directory, '100.note'),
    );
    expect(without.notes.join(' ')).toMatch(/older=100/);
  });

  it('is on record before it goes out, is for audit_read alone, and needs something signed', async () => {
    const exporting = (who = reader(), format = 'jsonl') =>
      createExportEntries({ ...trail.open(), signer: trail.signer })(who, {
        format,
        filter: { text: 'secret words' },
        older: [],
      })
        [Symbol.asyncIterator]()
        .next();
    await expect(exporting()).rejects.toMatchObject({ code: 'conflict' });
    await grow();
    await expect(exporting(member('usr_bob'))).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(exporting(reader(), 'xml')).rejects.toThrow(/jsonl, csv/);
    await exporting();
    const told = (await trail.rowsOf('outbox')).map(
      (row) => JSON.parse(String(row.body)) as { type: string; actor: string; data: object },
    );
    expect(told).toMatchObject([
      { type: 'agent.trail.exported', actor: 'user:usr_alice', data: { format: 'jsonl', size: 300 } },
    ]);
    expect(JSON.stringify(told)).not.toContain('secret words');
  });

  it('says where a key comes from that nobody gave, and refuses one that did not sign', async () => {
    await grow();
    const file = await exportAs('jsonl');
    expect((await verify(file)).notes[0]).toMatch(/proves nothing about who signed/);
    const other = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    expect(await verify(file, '--key', other)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/not signed with a key that was given/),
    });
    const contradicting = path.join(directory, 'other.note');
    writeFileSync(
      contradicting,
      trail.signer.sign('bravo/ws_a', `bravo/ws_a\n100\n${Buffer.alloc(32).toString('base64')}\n`),
    );
    expect(
      (
        await verify(
          file,
          '--key',
          verifierKey(),
          '--checkpoint',
          contradicting,
          '--checkpoint',
          path.join(directory, '100.note'),
        )
      ).problem,
    ).toMatch(/told in two ways/);
  });
});

describe('beside golang.org/x/mod/sumdb', () => {
  const source = path.join(checkout, 'apps', 'bravo-verify', 'crosscheck');
  const binary = path.join(directory, 'crosscheck');
  const built = spawnSync('go', ['build', '-o', binary, '.'], { cwd: source, encoding: 'utf8', timeout: 120_000 });
  const ready = built.status === 0;
  if (!ready)
    process.stdout.write(
      `\n!!! SKIPPED: exports are not cross-checked by Go here: ${built.error?.message ?? built.stderr}\n\n`,
    );

  (ready ? it : it.skip)(
    'the same export verifies, from the same kept checkpoint, and a changed one does not',
    async () => {
      await grow();
      const file = await exportAs('jsonl', {}, [100]);
      const check = (name: string) =>
        spawnSync(binary, [name, verifierKey(), path.join(directory, '100.note')], { encoding: 'utf8' });
      expect(check(file)).toMatchObject({ status: 0, stdout: 'OK 300 entries, 1 kept checkpoints\n' });
      const spoilt = path.join(directory, 'spoilt.jsonl');
      copyFileSync(file, spoilt);
      writeFileSync(spoilt, readFileSync(file, 'utf8').replace('"title_bytes":7', '"title_bytes":8'));
      expect(check(spoilt)).toMatchObject({ status: 1, stdout: expect.stringMatching(/entry 6 has another hash/) });
    },
  );
});
