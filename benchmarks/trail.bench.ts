/** What the trail costs: recording with hashes and checkpoints beside a bare INSERT of the same rows, verifying, searching, exporting, and the way of an event through the outbox. */
import path from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { createOutbox, type SqlDatabase, startOutboxRelay } from '@bravo/events';
import { connectNatsBus } from '@bravo/events/nats';
import { startTestNats, startTestPostgres, type TestPostgres } from '@bravo/testing';
import { checkout } from '@bravo/tools/stack/checkout';
import pg from 'pg';
import { type Benchmark, type Measurement, quantile, timed } from './benchmark.ts';

/** The app as it runs: compiled, not the sources. */
const load = async <T>(file: string): Promise<T> =>
  (await import(path.join(checkout, 'apps', 'audit', 'dist', file))) as T;

const BATCH = 500;
const reader = {
  issuer: 'gateway',
  audience: 'audit',
  userId: 'usr_alice',
  workspaceId: 'ws_1',
  role: 'admin',
  permissions: ['view_content', 'audit_read'],
  agent: undefined,
} as never;

const TYPES = ['agent.tool.requested', 'agent.tool.decided', 'agent.tool.executed', 'agent.message.received'];

/** Events of the size the platform's own have (about 700 bytes). */
const eventsOf = (count: number, workspace: string, from = 0) =>
  Array.from({ length: count }, (_, at) => {
    const n = from + at + 1;
    const type = TYPES[n % TYPES.length] ?? '';
    const body = JSON.stringify({
      specversion: '1.0',
      id: `evt_${workspace}_${String(n).padStart(26, '0')}`,
      source: 'bravo/broker',
      type,
      time: new Date(1_790_000_000_000 + n * 1_000).toISOString(),
      datacontenttype: 'application/json',
      workspace,
      conversation: `cnv_${n % 997}`,
      actor: `bravo:usr_${n % 101}`,
      onbehalfof: `usr_${n % 101}`,
      producer: `bench-${workspace}`,
      producerseq: n,
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      data: {
        tool_call_id: `tc_${String(n).padStart(26, '0')}`,
        tool: n % 3 === 0 ? 'execute_script' : 'read_file',
        effect: n % 5 === 0 ? 'deny' : 'allow',
        input_digest: 'c'.repeat(64),
        output_digest: 'd'.repeat(64),
        note: 'x'.repeat(120),
      },
    });
    return { subject: `${type}.${workspace}`, body, sequence: n };
  });

const perSecond = (count: number, ms: number): number => Math.round((count * 1_000) / ms);

const open = async (postgres: TestPostgres) => {
  const { createDatabase, createScanPool } =
    await load<typeof import('../apps/audit/src/databases/database.prisma.ts')>('databases/database.prisma.js');
  const { createEntries } =
    await load<typeof import('../apps/audit/src/trail/entries.prisma.ts')>('trail/entries.prisma.js');
  const { createRecordEvents } =
    await load<typeof import('../apps/audit/src/trail/record-event.ts')>('trail/record-event.js');
  const { createCheckpoints } = await load<typeof import('../apps/audit/src/checkpoints/checkpoints.prisma.ts')>(
    'checkpoints/checkpoints.prisma.js',
  );
  const { createDeliveries } = await load<typeof import('../apps/audit/src/checkpoints/deliveries.prisma.ts')>(
    'checkpoints/deliveries.prisma.js',
  );
  const { createSignCheckpoint } = await load<typeof import('../apps/audit/src/checkpoints/sign-checkpoint.ts')>(
    'checkpoints/sign-checkpoint.js',
  );
  const { createNoteSigner } =
    await load<typeof import('../apps/audit/src/checkpoints/signed-note.ts')>('checkpoints/signed-note.js');
  const { createVerifyLog } = await load<typeof import('../apps/audit/src/trail/verify-log.ts')>('trail/verify-log.js');
  const { createExportEntries } =
    await load<typeof import('../apps/audit/src/exports/export-entries.ts')>('exports/export-entries.js');
  const { createRetention } = await load<typeof import('../apps/audit/src/retention/retention.prisma.ts')>(
    'retention/retention.prisma.js',
  );
  const { leafOf } = await load<typeof import('../apps/audit/src/trail/leaf.ts')>('trail/leaf.js');
  const database = createDatabase(postgres.url('audit'));
  const pool = createScanPool(postgres.url('audit'));
  const entries = createEntries(database, pool);
  const checkpoints = createCheckpoints(database);
  const signer = createNoteSigner(generateKeyPairSync('ed25519').privateKey);
  const outbox = createOutbox({ schema: 'audit', producer: 'audit', traceparent: () => '' });
  const retention = createRetention(database, outbox);
  const ports = { entries, checkpoints, deliveries: createDeliveries(database), signer, retention };
  return {
    entries,
    leafOf,
    record: createRecordEvents(entries),
    sign: createSignCheckpoint(ports),
    verify: createVerifyLog(ports),
    exportEntries: createExportEntries({ ...ports, recordRead: { exported: async () => undefined } }),
    close: async () => {
      await pool.end();
      await database.$disconnect();
    },
  };
};

type Trail = Awaited<ReturnType<typeof open>>;

/** The same rows with the same indexes, hashed by nobody: what Postgres itself takes for them. */
const bareInsert = (pool: pg.Pool, leaves: readonly ReturnType<Trail['leafOf']>[], first: number): Promise<unknown> => {
  const columns = leaves.map((leaf, at) => [
    leaf.workspaceId,
    first + at,
    leaf.bytes,
    leaf.hash,
    leaf.eventId,
    leaf.type,
    leaf.actor,
    leaf.onBehalfOf,
    leaf.conversationId,
    leaf.producer,
    leaf.producerSequence,
    leaf.time,
    leaf.tool,
    leaf.toolCallId,
    leaf.decision,
    leaf.rule,
  ]);
  const width = columns[0]?.length ?? 0;
  const rows = columns
    .map((_, row) => `(${Array.from({ length: width }, (__, at) => `$${row * width + at + 1}`).join(',')})`)
    .join(',');
  return pool.query({
    name: `bare-${leaves.length}`,
    text: `INSERT INTO bare (workspace_id, index, leaf, leaf_hash, event_id, type, actor, on_behalf_of, conversation_id, producer, producer_seq, time, tool, tool_call_id, decision, rule) VALUES ${rows}`,
    values: columns.flat(),
  });
};

const measureRecording = async (trail: Trail, postgres: TestPostgres, count: number): Promise<Measurement[]> => {
  await postgres.asOwner(
    'audit',
    'CREATE TABLE bare (LIKE entries INCLUDING ALL); GRANT INSERT ON bare TO bravo_audit',
  );
  const pool = new pg.Pool({ connectionString: postgres.url('audit') });
  const messages = eventsOf(count, 'ws_1');
  const leaves = messages.map(({ body }) => trail.leafOf(body));
  let [ours, bare] = [0, 0];
  for (let at = 0; at < count; at += BATCH) {
    ours += await timed(async () => {
      await trail.record(messages.slice(at, at + BATCH));
      if ((at / BATCH) % 4 === 3) await trail.sign('ws_1');
    });
    bare += await timed(() => bareInsert(pool, leaves.slice(at, at + BATCH), at));
  }
  ours += await timed(() => trail.sign('ws_1'));
  await pool.end();
  const each = (ms: number): number => Math.round((ms * 10_000) / count) / 10;
  const name = 'recording an event, hashed and signed, beside the same rows inserted alone';
  return [
    { name: `${name} (${count})`, unit: 'µs', ours: each(ours), reference: each(bare), goal: 2 },
    { name: 'the same as a rate', unit: 'events/s', ours: perSecond(count, ours) },
  ];
};

const measureVerifying = async (trail: Trail, count: number): Promise<Measurement[]> => {
  const run = async (deep: boolean): Promise<number> => {
    const ms = await timed(async () => {
      const found = await trail.verify(reader, { deep });
      if (!found.ok) throw new Error(found.problem);
    });
    return perSecond(count, ms);
  };
  await run(false);
  return [
    {
      name: 'verifying stored bytes, beside comparing every column, too',
      unit: 'rows/s',
      ours: await run(false),
      reference: await run(true),
    },
  ];
};

const measureExport = async (trail: Trail): Promise<Measurement> => {
  let bytes = 0;
  const ms = await timed(async () => {
    for await (const text of trail.exportEntries(reader, { format: 'jsonl', filter: {}, older: [] }))
      bytes += text.length;
  });
  return {
    name: 'export as JSONL, each entry with its proof',
    unit: 'MB/s',
    ours: Math.round(bytes / 1e4 / (ms / 1e3)) / 100,
  };
};

/** Rows that are only searched: made by the database itself, 50 workspaces side by side. */
const measureSearching = async (trail: Trail, postgres: TestPostgres, rows: number): Promise<Measurement> => {
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  // Of a server that is stopped after something else went wrong.
  admin.on('error', () => undefined);
  await admin.connect();
  for (const setting of [
    'SET search_path TO audit',
    'SET synchronous_commit = off',
    "SET maintenance_work_mem = '512MB'",
  ])
    await admin.query(setting);
  await admin.query("ALTER SYSTEM SET max_wal_size = '16GB'");
  await admin.query('SELECT pg_reload_conf()');
  // Built once over all rows: kept row by row ten million of them would take most of an hour.
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = 'entries'::regclass AND NOT indisprimary`,
  );
  for (const { name } of indexes) await postgres.asOwner('audit', `DROP INDEX ${name}`);
  await admin.query(`INSERT INTO entries (workspace_id, index, leaf, leaf_hash, event_id, type, actor, on_behalf_of, conversation_id, producer, producer_seq, time, tool, tool_call_id, decision, rule)
    SELECT 'ws_s' || n % 50, n / 50, convert_to('{"n":' || n || ',"pad":"' || repeat('x', 400) || '"}', 'UTF8'), sha256(int8send(n)), 'evt_s' || n,
      (ARRAY['agent.tool.requested','agent.tool.decided','agent.tool.executed','agent.message.received'])[1 + n % 4], 'bravo:usr_' || n % 1009, 'usr_' || n % 1009,
      'cnv_' || n % 20011, 'search', n, timestamptz '2026-01-01' + n * interval '1 second', 'tool_' || n % 37, 'tc_' || n / 4, CASE WHEN n % 97 = 0 THEN 'deny' ELSE 'allow' END, ''
    FROM generate_series(0, ${rows - 1}) AS n`);
  for (const { definition } of indexes) await admin.query(definition.replace(' ON ONLY ', ' ON '));
  await admin.query('ANALYZE entries');
  const filters = (n: number) =>
    [
      { conversationId: `cnv_${n * 50}` },
      { actor: `bravo:usr_${n}` },
      { decision: 'deny', tool: `tool_${n % 37}` },
      { toolCallId: `tc_${n * 1_000}` },
    ][n % 4] ?? {};
  const searching = async (rounds: number): Promise<number> => {
    const taken: number[] = [];
    for (let n = 0; n < rounds; n += 1)
      taken.push(
        await timed(() => trail.entries.list(`ws_s${(n * 7) % 50}`, filters(n), { order: 'desc', limit: 50 })),
      );
    return Math.round(quantile(taken, 0.95) * 100) / 100;
  };
  await searching(20);
  const ours = await searching(200);
  for (const name of ['conversation', 'type', 'actor', 'on_behalf_of', 'tool_call', 'tool', 'decision', 'time'])
    await admin.query(`DROP INDEX entries_${name}_idx`);
  const reference = await searching(40);
  await admin.end();
  return {
    name: `searching ${rows} rows of 50 workspaces, p95, beside the same without the columns' indexes`,
    unit: 'ms',
    ours,
    reference,
  };
};

const sqlOf = (pool: pg.Pool): SqlDatabase => {
  const over = (client: Pick<pg.Pool, 'query'>) => ({
    $executeRawUnsafe: async (query: string, ...values: unknown[]) => (await client.query(query, values)).rowCount ?? 0,
    $queryRawUnsafe: async <T>(query: string, ...values: unknown[]) => (await client.query(query, values)).rows as T,
  });
  return {
    ...over(pool),
    async $transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const result = await work(over(client));
        await client.query('COMMIT');
        return result;
      } finally {
        client.release();
      }
    },
  };
};

const measureOutbox = async (postgres: TestPostgres, count: number): Promise<Measurement[]> => {
  const nats = await startTestNats();
  const bus = await connectNatsBus({ url: nats.url, user: nats.user, password: nats.password, name: 'bench' });
  const pool = new pg.Pool({ connectionString: postgres.url('audit') });
  const database = sqlOf(pool);
  const outbox = createOutbox({ schema: 'audit', producer: 'audit', traceparent: () => '' });
  const relay = startOutboxRelay({ database, schema: 'audit', bus, logger: { warn: () => undefined } });
  const committed = new Map<string, number>();
  const taken: number[] = [];
  const consumer = bus.consumeBatches({
    stream: 'EVENTS',
    durable: 'bench',
    from: 'first',
    size: 500,
    handle: async (messages) => {
      for (const { body } of messages)
        taken.push(performance.now() - (committed.get((JSON.parse(body) as { id: string }).id) ?? 0));
    },
    onError: () => undefined,
  });
  for (let n = 0; n < count; n += 1) {
    const id = await database.$transaction((tx) =>
      outbox.appendEvent(tx, {
        type: 'agent.trail.read',
        workspace: 'ws_1',
        actor: 'user:usr_1',
        data: { filter: '{}', entries: n },
      }),
    );
    committed.set(id, performance.now());
    relay.nudge();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  while (taken.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  await consumer.stop();
  await relay.stop();
  await bus.close();
  await pool.end();
  await nats.stop();
  const at = (fraction: number): number => Math.round(quantile(taken, fraction) * 10) / 10;
  return [
    {
      name: 'outbox, from commit to consumer: p50 beside p99',
      unit: 'ms',
      ours: at(0.5),
      reference: at(0.99),
      compared: 'difference',
    },
  ];
};

export const benchmark: Benchmark = {
  title: 'The trail',
  run: async ({ smoke }) => {
    const postgres = await startTestPostgres({ app: 'audit', schema: 'audit', durable: true });
    const trail = await open(postgres);
    try {
      const count = smoke ? 2_000 : 60_000;
      return [
        ...(await measureRecording(trail, postgres, count)),
        ...(await measureVerifying(trail, count)),
        await measureExport(trail),
        ...(await measureOutbox(postgres, smoke ? 50 : 500)),
        await measureSearching(
          trail,
          postgres,
          Number(process.env['BRAVO_BENCH_TRAIL_ROWS'] ?? (smoke ? 5_000 : 500_000)),
        ),
      ];
    } finally {
      await trail.close();
      await postgres.stop();
    }
  },
};
