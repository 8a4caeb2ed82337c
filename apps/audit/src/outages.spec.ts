/**
 * Events go on being written while what carries and records them is away: Postgres, NATS, the disk's space, the right time.
 * Whatever was committed is recorded once and in its order. `BRAVO_LONG_OUTAGES=<seconds>` makes each outage that long.
 */
import { createLogger } from '@bravo/chassis';
import { type Bus, createOutbox, userActor } from '@bravo/events';
import { connectNatsBus } from '@bravo/events/nats';
import { startOutboxRelay } from '@bravo/events/outbox-relay';
import { startTestNats, startTestPostgres, type TestNats, type TestPostgres, waitUntil } from '@bravo/testing';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createAudit } from './audit.module.ts';
import { createNoteSigner } from './checkpoints/signed-note.ts';
import { createDatabase, createScanPool, type Database } from './databases/database.prisma.ts';

const OUTAGE_MS = 1_000 * Number(process.env['BRAVO_LONG_OUTAGES'] ?? '2');
const PATIENCE = { timeoutMs: 60_000 + OUTAGE_MS };
const TIMEOUT_MS = 4 * PATIENCE.timeoutMs;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A disk of its own, small enough to be filled; undefined where nobody may mount one. */
const mountDisk = (): string | undefined => {
  const disk = mkdtempSync(path.join(tmpdir(), 'bravo-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=192m,mode=755', 'tmpfs', disk], { stdio: 'pipe' });
    return disk;
  } catch (error) {
    rmSync(disk, { recursive: true });
    process.stderr.write(
      `The full disk is not tried: a small file system cannot be mounted here (${String(error)}).\n`,
    );
    return undefined;
  }
};
const disk = mountDisk();
const unmount = (): void => {
  if (!disk) return;
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true });
};

const outbox = createOutbox({ schema: 'audit', producer: 'audit', traceparent: () => '' });
let postgres: TestPostgres;
let nats: TestNats;
let database: Database;
let scanPool: pg.Pool;
let admin: pg.Pool;
let bus: Bus;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  [postgres, nats] = await Promise.all([
    // Durable: a server that a full disk stops would else forget commits it has answered for, as one of the product never does.
    startTestPostgres({ app: 'audit', schema: 'audit', durable: true, ...(disk ? { within: disk } : {}) }),
    startTestNats(),
  ]);
  database = createDatabase(postgres.url('audit'));
  scanPool = createScanPool(postgres.url('audit'));
  admin = new pg.Pool({ connectionString: postgres.adminUrl, options: '-c search_path=audit' });
  for (const pool of [scanPool, admin]) pool.on('error', () => undefined);
  await database.$queryRaw`SELECT 1`;
  bus = await connectNatsBus({ url: nats.url, user: nats.user, password: nats.password, name: 'audit' });
  await bus.ensureStreams(['EVENTS']);
  const logger = createLogger('audit', 'silent');
  const audit = createAudit({
    ...{ database, databaseUrl: postgres.url('audit'), scanPool, bus, logger, contentKey: new Uint8Array(32) },
    retention: { policy: { rows: null, content: null }, least: null, pruneSeconds: 3_600 },
    signer: createNoteSigner(generateKeyPairSync('ed25519').privateKey),
    ...{ checkpointRows: 4, checkpointSeconds: 0.3 },
  });
  running.push(startOutboxRelay({ database, schema: 'audit', bus, logger, intervalMs: 50 }), audit.start());
}, 120_000);
afterAll(async () => {
  for (const each of running) await each.stop();
  await Promise.all([bus?.close(), scanPool?.end(), admin?.end(), database?.$disconnect()]);
  await Promise.all([nats?.stop(), postgres?.stop()]);
  unmount();
}, 60_000);

let written = 0;
const isWritten = async (name: string): Promise<boolean> => {
  const { rows } = await admin.query('SELECT 1 FROM outbox WHERE body LIKE $1', [`%"${name}"%`]);
  return rows.length > 0;
};

/** Commits the next event, however often it takes: as a service does whose caller asks again. */
const write = async (): Promise<void> => {
  written += 1;
  const name = `cnv_${written}_`;
  const draft = {
    ...({ type: 'agent.conversation.created', workspace: 'ws_a', actor: userActor('usr_a') } as const),
    ...{ conversation: name, data: { mode: 'coworker' } },
  };
  let tries = 0;
  await waitUntil(
    `event ${written} to be committed`,
    async () => {
      // A commit whose answer was lost has happened all the same.
      if (tries > 0 && (await isWritten(name))) return true;
      tries += 1;
      await database.$transaction((tx) => outbox.appendEvent(tx, draft));
      return true;
    },
    PATIENCE,
  );
};

/** Writes on and on while `trouble` lasts, and a little after. */
const writeThrough = async (trouble: () => Promise<unknown>): Promise<void> => {
  for (let before = 0; before < 5; before += 1) await write();
  let over = false;
  const lasting = trouble().finally(() => (over = true));
  do {
    await write();
    await sleep(50);
  } while (!over);
  await lasting;
  for (let after = 0; after < 5; after += 1) await write();
};

const expectAllRecorded = async (): Promise<void> => {
  const rows = await waitUntil(
    'everything to be recorded and signed',
    async () => {
      const found = await admin.query<{ id: string; conversation: string; seq: string }>(
        `SELECT event_id AS id, conversation_id AS conversation, producer_seq AS seq FROM entries
         WHERE workspace_id = 'ws_a' ORDER BY index`,
      );
      const signed = await admin.query<{ size: string }>(
        "SELECT max(size) AS size FROM checkpoints WHERE workspace_id = 'ws_a'",
      );
      return found.rows.length >= written && Number(signed.rows[0]?.size) === found.rows.length && found.rows;
    },
    PATIENCE,
  );
  expect(rows.map(({ conversation }) => conversation)).toEqual(
    Array.from({ length: written }, (_, at) => `cnv_${at + 1}_`),
  );
  expect(new Set(rows.map(({ id }) => id)).size).toBe(written);
  const numbers = rows.map(({ seq }) => Number(seq));
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
};

/** Everything that asks for the time in this process gets one that is `ms` off. */
const shiftClock = (ms: number): (() => void) => {
  const Real = globalThis.Date;
  class Shifted extends Real {
    constructor(...given: [] | [number | string | Date]) {
      super(...((given.length === 0 ? [Real.now() + ms] : given) as [number]));
    }
    static override now(): number {
      return Real.now() + ms;
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Real;
    }
  }
  globalThis.Date = Shifted as DateConstructor;
  return () => void (globalThis.Date = Real);
};

describe('nothing is lost, doubled or out of order', () => {
  it(
    'while Postgres is away',
    async () => {
      await writeThrough(() => postgres.restart(() => sleep(OUTAGE_MS)));
      await expectAllRecorded();
    },
    TIMEOUT_MS,
  );

  it(
    'while NATS is away',
    async () => {
      await writeThrough(() => nats.restart(() => sleep(OUTAGE_MS)));
      await expectAllRecorded();
    },
    TIMEOUT_MS,
  );

  it(
    'while the clock is set back by a day, and right again',
    async () => {
      await writeThrough(async () => {
        const setRight = shiftClock(-86_400_000);
        await sleep(500);
        setRight();
      });
      await expectAllRecorded();
    },
    TIMEOUT_MS,
  );

  (disk ? it : it.skip)(
    'while the disk is full',
    async () => {
      await writeThrough(async () => {
        const ballast = path.join(disk ?? '', 'ballast');
        const file = openSync(ballast, 'w');
        let full = false;
        while (!full)
          try {
            writeSync(file, Buffer.alloc(1_048_576));
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            full = true;
          }
        closeSync(file);
        // With files already on the disk there may be room in them: this has none.
        await expect(
          admin.query(
            'CREATE TABLE audit.filler AS SELECT repeat(md5(random()::text), 100) FROM generate_series(1, 30000)',
          ),
        ).rejects.toThrow();
        await sleep(OUTAGE_MS);
        rmSync(ballast);
        // A server that could not write its log has stopped; whoever runs it starts it again.
        await postgres.restart();
      });
      await expectAllRecorded();
    },
    TIMEOUT_MS,
  );
});
