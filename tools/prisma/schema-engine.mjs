#!/usr/bin/env node
/**
 * Stands in for Prisma's native schema engine, which is a separate download: the same JSON-RPC over stdio, answered by
 * @prisma/schema-engine-wasm over a Postgres driver. It must never end a failed request silently: Prisma's command line
 * reads an engine that goes without an answer as success.
 *
 * Used through PRISMA_SCHEMA_ENGINE_BINARY. Upgrade together with the prisma packages, and run schema-engine.spec.ts.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const pg = require('pg');
const { parse } = require('pg-connection-string');
const { PrismaPg } = require('@prisma/adapter-pg');
const { bindMigrationAwareSqlAdapterFactory } = require('@prisma/driver-adapter-utils');

const oid = { char: 18, text: 25, charArray: 1002, textArray: 1009 };

// Workaround 1: introspection answers columns of the internal type "char", which the adapter does not know. They are text.
const Result = require('pg/lib/result');
const addFields = Result.prototype.addFields;
Result.prototype.addFields = function addFieldsWithoutChar(fields) {
  for (const field of fields) {
    if (field.dataTypeID === oid.char) field.dataTypeID = oid.text;
    if (field.dataTypeID === oid.charArray) field.dataTypeID = oid.textArray;
  }
  return addFields.call(this, fields);
};

// Workaround 2: the engine panics on every row of its query for CHECK and EXCLUDE constraints, because of that same type,
// and PostgreSQL 18 lists each NOT NULL there. The rows only feed warnings of `db pull`: answer none.
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function queryWithoutChecks(asked, ...rest) {
  if (typeof asked?.text === 'string') asked.text = asked.text.replace(/contype NOT IN \([^)]*\)/, 'false');
  return query.call(this, asked, ...rest);
};

const args = process.argv.slice(2);
const valuesOf = (name) => args.flatMap((argument, index) => (argument === name ? [args[index + 1]] : []));
const datasource = JSON.parse(valuesOf('--datasource')[0] ?? '{}');

/** Prisma reads the engine's stderr as JSON lines. */
const log = (level, message, fields = {}) =>
  process.stderr.write(
    `${JSON.stringify({ timestamp: new Date().toISOString(), level, fields: { message, ...fields }, target: 'schema_engine::logger' })}\n`,
  );
const answer = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const createOrDropDatabase = async (command, href) => {
  if (command === 'can-connect-to-database') {
    const client = new pg.Client(href);
    await client.connect();
    await client.end();
    return;
  }
  const url = new URL(href);
  const database = pg.escapeIdentifier(decodeURIComponent(url.pathname.slice(1)));
  url.pathname = '/postgres';
  const admin = new pg.Client(url.href);
  await admin.connect();
  await admin.query(`${command === 'create-database' ? 'CREATE' : 'DROP'} DATABASE ${database}`);
  await admin.end();
};

log('INFO', 'Starting schema engine (wasm bridge)');
const cli = args.indexOf('cli');
if (cli >= 0) {
  const codes = { '3D000': 'P1003', '28P01': 'P1000', '42P04': 'P1009' };
  try {
    await createOrDropDatabase(args[cli + 1], datasource.url);
    process.exit(0);
  } catch (error) {
    log('ERROR', error.message, { is_panic: false, error_code: codes[error.code] ?? 'P1001', meta: null });
    process.exit(1);
  }
}

// Workaround 3: never a connection string. The adapter makes its shadow connection from {...config, database}, and the
// driver lets a connection string win over `database`: the "shadow", which gets dropped, would be the real database.
const connectionParts = (href) => {
  const { host, port, user, password, database, ssl } = parse(href);
  return { host, port: port ? Number(port) : undefined, user, password, database, ssl };
};
const schemaName = (datasource.url && new URL(datasource.url).searchParams.get('schema')) || 'public';
const schema = { schema: schemaName };
// Migrations name no schema. The native engine makes the URL's schema the search path, the adapter leaves it alone.
const connection = datasource.url
  ? { ...connectionParts(datasource.url), options: `-c search_path=${pg.escapeIdentifier(schemaName)}` }
  : {};

const shadows = new Set();

// Workaround 4: the adapter cuts a script at every semicolon, also inside a comment, a string or a function body, and runs
// the pieces on whatever pooled connection is free. Postgres takes the whole script at once, and all of it or none.
const withWholeScripts = (adapter) => {
  adapter.executeScript = async (script) => {
    try {
      await adapter.client.query(script);
    } catch (error) {
      adapter.onError(error);
    }
  };
  return adapter;
};

class ShadowSafeFactory extends PrismaPg {
  async connect() {
    return withWholeScripts(await super.connect());
  }

  /** The adapter's own version drops the shadow database while its pool still holds it: end the pool first, then drop. */
  async connectToShadowDb() {
    const database = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
    const admin = new pg.Client(connection);
    await admin.connect();
    await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
    const shadow = new PrismaPg({ ...connection, database, allowExitOnIdle: true }, schema);
    const adapter = withWholeScripts(await shadow.connect());
    await adapter.executeScript(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schemaName)}`);
    const drop = async () => {
      shadows.delete(drop);
      await admin.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`);
      await admin.end();
    };
    shadows.add(drop);
    const dispose = adapter.dispose.bind(adapter);
    adapter.dispose = async () => {
      await dispose();
      await drop();
    };
    return adapter;
  }
}

const loadEngine = async () => {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const directory = path.dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const bytes = readFileSync(path.join(directory, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  globalThis.PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message(message) {
      this.message = message;
    },
  };
  return glue.SchemaEngine;
};

let current;
let dying = false;
// A wasm panic escapes the promise that was awaited, so the request it belongs to is answered here.
const die = async (error) => {
  if (dying) return;
  dying = true;
  const panic = globalThis.PRISMA_WASM_PANIC_REGISTRY?.message ?? '';
  const message = `schema engine (wasm) crashed: ${error?.message ?? error} ${panic}`.trim();
  if (current) {
    const data = { is_panic: false, message, meta: null, error_code: null };
    answer({ id: current.id, error: { code: 4466, message, data } });
  }
  for (const drop of shadows) await drop().catch(() => {});
  process.exit(1);
};
process.on('uncaughtException', die);
process.on('unhandledRejection', die);

const SchemaEngine = await loadEngine();
const factory = new ShadowSafeFactory(
  { ...connection, allowExitOnIdle: true, max: 2 },
  { ...schema, disposeExternalPool: true },
);
const datamodels = valuesOf('--datamodels').map((file) => [file, readFileSync(file, 'utf8')]);
const engine = await SchemaEngine.new(
  { datamodels: datamodels.length > 0 ? datamodels : undefined },
  () => {},
  bindMigrationAwareSqlAdapterFactory(factory),
);

/** Methods that the wasm engine calls otherwise than the native one. */
const renamed = { getDatabaseVersion: 'version' };

for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const request = JSON.parse(line);
  current = request;
  try {
    const result = await engine[renamed[request.method] ?? request.method](request.params);
    // The native engine prints a diff through a call of its own; the command line prints only calls that have an id.
    if (request.method === 'diff' && result?.stdout != null) {
      answer({ id: request.id, method: 'print', params: { content: result.stdout } });
    }
    answer({ id: request.id, result: result ?? {} });
  } catch (error) {
    const data = { is_panic: false, message: error.message, meta: error.meta ?? null, error_code: error.code ?? null };
    answer({
      id: request.id,
      error: { code: 4466, message: 'An error happened. Check the data field for details.', data },
    });
  }
}
if (!dying) process.exit(0);
