/** The tampering kit: what each attack on the trail is found by, and what the window leaves open. The table is printed as it was found. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '@bravo/tools/stack/checkout';
import { createSignCheckpoint } from './checkpoints/sign-checkpoint.ts';
import { createNoteSigner, type NoteSigner } from './checkpoints/signed-note.ts';
import { createExportEntries } from './exports/export-entries.ts';
import { numbered, reader, useTrail } from './trail/trail.fixture.ts';
import { createPruneLog } from './retention/prune-log.ts';
import { createVerifyLog } from './trail/verify-log.ts';

const run = promisify(execFile);
const { open, recordMany, tamper, rowsOf } = useTrail();
const directory = mkdtempSync(path.join(tmpdir(), 'bravo-tampering-'));
afterAll(() => rmSync(directory, { recursive: true }));

const oldKey = generateKeyPairSync('ed25519').privateKey;
const newKey = generateKeyPairSync('ed25519').privateKey;
const before = createNoteSigner(oldKey);
const after = createNoteSigner(newKey, { retired: [createPublicKey(oldKey)] });
const sign = (signer: NoteSigner) => createSignCheckpoint({ ...open(), signer })('ws_a');

/** Checkpoints at 4 (old key), 8 and 12 (new key); 4, 8 and 12 are kept elsewhere; entries 12 and 13 lie in the window. */
const honestLog = async (): Promise<void> => {
  const facts = numbered(14);
  const kept: string[] = [];
  for (const [signer, from, to] of [
    [before, 0, 4],
    [after, 4, 8],
    [after, 8, 12],
  ] as const) {
    await recordMany(...facts.slice(from, to));
    kept.push((await sign(signer))?.note ?? '');
  }
  await recordMany(...facts.slice(12));
  kept.forEach((note, at) => writeFileSync(path.join(directory, `${4 * (at + 1)}.note`), note));
};

const verify = async (deep: boolean): Promise<string> =>
  (await createVerifyLog({ ...open(), signer: after })(reader(), { deep })).problem;

/** The export, checked by the program itself on another path. */
const bravoVerify = async (keptSizes: readonly number[]): Promise<string> => {
  const ports = { ...open(), signer: after };
  const file = path.join(directory, 'trail.jsonl');
  let text = '';
  for await (const piece of createExportEntries(ports)(reader(), { format: 'jsonl', filter: {}, older: [] }))
    text += piece;
  writeFileSync(file, text);
  const kept = keptSizes.flatMap((size) => ['--checkpoint', path.join(directory, `${size}.note`)]);
  const keys = ['--key', after.verifierKey('bravo/ws_a'), '--retired-key', before.verifierKey('bravo/ws_a')];
  const program = path.join(checkout, 'apps', 'bravo-verify', 'src', 'main.ts');
  const { stdout } = await run(process.execPath, [program, file, ...keys, ...kept, '--json']).catch(
    (error: { stdout: string }) => error,
  );
  return (JSON.parse(stdout) as { problem: string }).problem;
};

const rebuild = (signer: NoteSigner) => async (): Promise<void> => {
  await tamper('TRUNCATE entries, logs, checkpoints, nodes');
  await recordMany(...numbered(14, { actor: 'user:usr_mallory' }));
  await sign(signer);
};
const statements =
  (...sql: string[]) =>
  () =>
    tamper(...sql);
const edit = `UPDATE entries SET leaf = convert_to(replace(convert_from(leaf, 'UTF8'), 'coworker', 'voice'), 'UTF8') WHERE index = 5`;
const cutTo = (size: number) =>
  statements(
    `DELETE FROM entries WHERE index >= ${size}`,
    `DELETE FROM checkpoints WHERE size > ${size}`,
    `UPDATE logs SET size = ${size}`,
  );

interface Attack {
  readonly name: string;
  readonly does: () => Promise<void>;
  /** Empty where it is not found. */
  readonly verify: RegExp | '';
  readonly deep: RegExp | '';
  readonly exported: RegExp | '';
  readonly kept: RegExp | '';
}

const everywhere = (problem: RegExp) => ({ verify: problem, deep: problem, exported: problem, kept: problem });
const hash = /Entry 5 does not have the hash/;

const attacks: Attack[] = [
  { name: 'a row edited', does: statements(edit), ...everywhere(hash) },
  {
    name: 'a row edited, its hash made to fit',
    does: statements(edit, `UPDATE entries SET leaf_hash = sha256('\\x00'::bytea || leaf) WHERE index = 5`),
    ...everywhere(/first 8 entries are not|not in the log that was signed/),
  },
  {
    name: 'only its columns edited',
    does: statements(`UPDATE entries SET actor = 'user:usr_mallory' WHERE index = 5`),
    verify: '',
    deep: /column actor of entry 5/,
    // An export is made from the recorded bytes: what a column says is no part of it.
    exported: '',
    kept: '',
  },
  {
    name: 'a row deleted',
    does: statements('DELETE FROM entries WHERE index = 5'),
    ...everywhere(/Entry 5 is missing/),
  },
  {
    name: 'a row put in',
    does: statements(
      'UPDATE entries SET index = index + 100 WHERE index >= 5',
      `INSERT INTO entries SELECT workspace_id, 5, leaf, leaf_hash, 'evt_forged', type, actor, on_behalf_of, conversation_id, producer, 99, time, recorded_at FROM entries WHERE index = 4`,
      'UPDATE entries SET index = index - 99 WHERE index >= 100',
      'UPDATE logs SET size = 15',
    ),
    ...everywhere(/first 8 entries are not|not in the log that was signed/),
    deep: /column eventId of entry 5/,
  },
  {
    name: 'two rows swapped',
    does: statements(
      'UPDATE entries SET index = 105 - index WHERE index IN (5, 6)',
      'UPDATE entries SET index = index - 94 WHERE index >= 99',
    ),
    ...everywhere(/first 8 entries are not|not in the log that was signed/),
  },
  {
    name: 'the tail cut, its checkpoints left',
    does: statements('DELETE FROM entries WHERE index >= 9', 'UPDATE logs SET size = 9'),
    ...everywhere(/Entry 9 is missing/),
  },
  {
    name: 'the tail cut together with its checkpoints',
    does: cutTo(8),
    verify: '',
    deep: '',
    exported: '',
    kept: /The log was cut.* covers 12/,
  },
  {
    name: 'an old backup restored, with its checkpoints',
    does: cutTo(8),
    verify: '',
    deep: '',
    exported: '',
    kept: /The log was cut/,
  },
  {
    name: 'rebuilt, signed with the stolen old key',
    does: rebuild(before),
    verify: /signed with a retired key alone/,
    deep: /signed with a retired key alone/,
    exported: /signed with a retired key alone/,
    kept: /signed with a retired key alone/,
  },
  {
    name: 'rebuilt, signed with the stolen current key',
    does: rebuild(after),
    verify: '',
    deep: '',
    exported: '',
    kept: /first 4 entries are not the ones of the checkpoint that was kept/,
  },
  {
    name: 'the newest rows cut, no kept checkpoint over them: the window',
    does: statements('DELETE FROM entries WHERE index >= 12', 'UPDATE logs SET size = 12'),
    verify: '',
    deep: '',
    exported: '',
    kept: '',
  },
];

/** Entries 0 to 7 pruned as the policy says; a checkpoint at 12 is kept elsewhere. */
const prunedLog = async (): Promise<void> => {
  await honestLog();
  const { retention, entries, checkpoints, pruner } = open();
  await tamper(`UPDATE entries SET recorded_at = now() - interval '2 days' WHERE index < 9`);
  await retention.setPolicy('ws_a', { rows: 86_400, content: null }, 'user:usr_alice');
  const prune = createPruneLog({ entries, checkpoints, retention, pruner, signer: after, sinks: [] });
  expect(await prune('ws_a', 86_400)).toBe(8);
  await recordOwn();
  await sign(after);
};

/** What audit told of itself, as the relay brings it. */
const recordOwn = async (): Promise<void> => {
  const rows = (await rowsOf('outbox')) as { subject: string; body: string }[];
  const messages = rows.map(({ subject, body }, at) => ({
    subject,
    sequence: 1_000 + at,
    body: JSON.stringify({ ...(JSON.parse(body) as object), producerseq: at + 1 }),
  }));
  await open().recordAll(messages);
};

const stubOf = (size: number, line: string) => async (): Promise<void> => {
  const { checkpoints } = open();
  const signed = (await checkpoints.all('ws_a')).find((checkpoint) => checkpoint.size === size);
  const text = after.open('bravo/ws_a', signed?.note ?? '') ?? '';
  const note =
    line === ''
      ? (signed?.note ?? '')
      : (line === 'forged' ? stranger : after).sign('bravo/ws_a', `${text}pruned before 2026-11-30T00:00:00.000Z\n`);
  await tamper(
    `INSERT INTO stubs SELECT workspace_id, ${size}, '${note}', peaks, (SELECT leaf_hashes FROM stubs)
      || (SELECT string_agg(leaf_hash, '' ORDER BY index) FROM entries WHERE index < ${size}) FROM checkpoints WHERE size = ${size} LIMIT 1`,
    `DELETE FROM entries WHERE index < ${size}`,
  );
};
const stranger = createNoteSigner(generateKeyPairSync('ed25519').privateKey);

/** On a log that was pruned honestly. */
const pruningAttacks: Attack[] = [
  {
    name: 'a stub forged with a strange key',
    does: stubOf(12, 'forged'),
    ...everywhere(/stub .* (is not signed by this log|not signed with a key)/),
  },
  { name: 'a checkpoint passed off as a stub', does: stubOf(12, ''), ...everywhere(/is a checkpoint/) },
  {
    name: 'more pruned than the stub says',
    does: statements('DELETE FROM entries WHERE index < 10'),
    ...everywhere(/Entry 8 is missing/),
  },
  {
    name: 'the stub taken away',
    does: statements('DELETE FROM stubs'),
    ...everywhere(/Entry 0 is missing|begins with entry 8/),
  },
  {
    name: 'the subtrees of the stub changed',
    does: statements(`UPDATE stubs SET peaks = sha256('x')`),
    ...everywhere(/is not what was signed/),
  },
  {
    name: 'a hold ignored, with the signing key',
    does: async () => {
      const placed = { scope: 'workspace', subject: '', reason: 'a case', placedBy: 'user:usr_alice' } as const;
      await open().retention.placeHold('ws_a', placed);
      await recordOwn();
      await sign(after);
      await stubOf(12, 'pruned')();
    },
    ...everywhere(/the hold hld_\w+ keeps everything from entry 8 on/),
  },
];

describe('the tampering kit', () => {
  const table: string[][] = [['attack', 'verify', 'verify --deep', 'bravo-verify', 'with kept checkpoints']];
  afterAll(() => {
    const widths = (table[0] ?? []).map((_, at) => Math.max(...table.map((row) => (row[at] ?? '').length)));
    const lines = table.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  '));
    process.stdout.write(`\n${lines.join('\n')}\n\n`);
  });

  it('finds nothing wrong with an honest log', async () => {
    await honestLog();
    expect([await verify(false), await verify(true), await bravoVerify([]), await bravoVerify([4, 8, 12])]).toEqual([
      '',
      '',
      '',
      '',
    ]);
  });

  it.each(attacks)('$name [trail.tampering]', async ({ name, does, ...expected }) => {
    await honestLog();
    await does();
    await expectFound(name, expected);
  });

  const expectFound = async (name: string, expected: Omit<Attack, 'name' | 'does'>): Promise<void> => {
    const found = {
      verify: await verify(false),
      deep: await verify(true),
      exported: await bravoVerify([]),
      kept: await bravoVerify([4, 8, 12]),
    };
    const told = Object.values(found).map((problem) => (problem === '' ? '-' : 'found'));
    table.push([name, ...told]);
    for (const [by, problem] of Object.entries(expected) as [keyof typeof found, RegExp | ''][])
      expect({ by, problem: found[by] }).toEqual({ by, problem: problem === '' ? '' : expect.stringMatching(problem) });
  };

  it('finds nothing wrong with a log that was pruned as the policy says, and says from where it is kept', async () => {
    await prunedLog();
    expect([await verify(false), await verify(true), await bravoVerify([]), await bravoVerify([4, 8, 12])]).toEqual([
      '',
      '',
      '',
      '',
    ]);
    expect(await createVerifyLog({ ...open(), signer: after })(reader())).toMatchObject({
      first: 8,
      ok: true,
      gaps: [],
    });
  });

  it.each(pruningAttacks)('pruned: $name [trail.tampering]', async ({ name, does, ...expected }) => {
    await prunedLog();
    await does();
    await expectFound(name, expected);
  });

  it('does not see past what was kept: the newest kept checkpoint is where the window begins', async () => {
    await honestLog();
    await cutTo(8)();
    expect(await bravoVerify([4])).toBe('');
    expect(await bravoVerify([4, 8])).toBe('');
    expect(await bravoVerify([12])).toMatch(/was cut/);
  });
});
