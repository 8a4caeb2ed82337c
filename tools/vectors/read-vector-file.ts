/** Reads one file of vectors. Guarantees that a field, a suite or an id that does not belong is an error naming file, case and field; such a file is never partly replayed. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Suite } from './suite.ts';

export interface VectorError {
  readonly file: string;
  readonly case?: string;
  readonly field?: string;
  readonly text: string;
}

/** `rows` are as the suite's schema reads them and are for its `replay` alone. */
export interface VectorFile {
  readonly suite: Suite;
  readonly rows: readonly { readonly id: string }[];
}

const shape = z.strictObject({ suite: z.string(), cases: z.array(z.looseObject({ id: z.string() })).min(1) });

export function readVectorFile(
  file: string,
  suites: readonly Suite[],
): { found: VectorFile } | { errors: readonly VectorError[] } {
  let document: unknown;
  try {
    document = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return { errors: [{ file, text: `The file cannot be read as YAML: ${(error as Error).message}` }] };
  }
  const whole = shape.safeParse(document);
  if (!whole.success) return { errors: whole.error.issues.map((issue) => describe(file, undefined, issue)) };
  const suite = suites.find(({ name }) => name === whole.data.suite);
  if (suite === undefined) {
    const known = suites.map(({ name }) => name).join(', ');
    return { errors: [{ file, field: 'suite', text: `There is no suite "${whole.data.suite}". There are ${known}.` }] };
  }
  const rows: { id: string }[] = [];
  const errors: VectorError[] = [];
  const ids = new Set<string>();
  for (const row of whole.data.cases) {
    if (ids.has(row.id)) errors.push({ file, case: row.id, field: 'id', text: 'The id is there twice.' });
    ids.add(row.id);
    const reading = suite.rows.safeParse(row);
    if (reading.success) rows.push(reading.data);
    else errors.push(...reading.error.issues.map((issue) => describe(file, row.id, issue)));
  }
  return errors.length > 0 ? { errors } : { found: { suite, rows } };
}

function describe(file: string, id: string | undefined, issue: z.core.$ZodIssue): VectorError {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const path = [...issue.path.map(String), ...(keys.length === 1 ? keys : [])];
  return {
    file,
    ...(id === undefined ? {} : { case: id }),
    ...(path.length === 0 ? {} : { field: path.join('.') }),
    text: keys.length > 0 ? `The suite has no field ${keys.join(', ')} here.` : issue.message,
  };
}
