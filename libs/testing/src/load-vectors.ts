/** Loads a vector file for specs. Guarantees that a field nobody named, a repeated id or an empty suite fails the run; production code must never import it. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** The fields any case of any suite may have; only the id is tested. */
export const toldFields = {
  id: z.string(),
  note: z.string().optional(),
  choice: z.string().optional(),
  source: z.string().optional(),
};

/** One kind of case: the fields every case may have, and its own. */
export function caseOf<const Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.strictObject({ ...toldFields, kind: z.literal(kind), ...shape });
}

/** The cases of `test-vectors/<suite>.yaml`. Throws with the path of whatever does not fit. */
export function loadVectors<Case extends z.ZodType<{ id: string }>>(suite: string, cases: Case): z.output<Case>[] {
  const file = new URL(`../../../test-vectors/${suite}.yaml`, import.meta.url);
  const whole = z.strictObject({ suite: z.literal(suite), cases: z.array(cases).min(1) });
  const rows = whole.parse(parse(readFileSync(file, 'utf8'))).cases;
  const ids = new Set(rows.map((row) => row.id));
  if (ids.size !== rows.length) throw new Error(`${suite}.yaml repeats an id.`);
  return rows;
}
