/**
 * Opens one SQLite file of this process alone, or a database in memory where there is no directory to write to.
 *
 * Nothing in it is the platform's record: the orchestrator owns the history, and a pod's directory goes with the pod.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** `schema` is run each time and must not hurt what is there. Never throws for a directory that cannot be written. */
export function openDatabase(
  file: string | undefined,
  schema: string,
  log: (message: string) => void = () => undefined,
): DatabaseSync {
  try {
    if (file !== undefined) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    return prepare(new DatabaseSync(file ?? ':memory:'), schema);
  } catch (error) {
    if (file === undefined) throw error;
    log(`${file} cannot be used (${(error as Error).message}); it is kept in memory and goes with this process`);
    return prepare(new DatabaseSync(':memory:'), schema);
  }
}

function prepare(database: DatabaseSync, schema: string): DatabaseSync {
  // One writer for each workspace: a second process finds the file locked and says so instead of mixing two histories.
  database.exec(
    'PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-512;',
  );
  database.exec(schema);
  return database;
}
