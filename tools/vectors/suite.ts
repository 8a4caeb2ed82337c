/** What a suite of vectors is. Guarantees that a case says what it expects and what the library answered, and that nothing here looks at a case's id. */
import { z } from 'zod';

/** Both sides of one case, alike in shape: the case holds when they are deeply equal. */
export interface Replay {
  readonly expected: unknown;
  readonly actual: unknown;
}

export interface Suite<Row extends z.ZodType<{ id: string }> = z.ZodType<{ id: string }>> {
  /** As the file names itself. */
  readonly name: string;
  /** Every field a case may have; any other is an error. */
  readonly rows: Row;
  replay(row: z.output<Row>): Replay;
}

export function suiteOf<Row extends z.ZodType<{ id: string }>>(suite: Suite<Row>): Suite<Row> {
  return suite;
}

/** Text, or a long one written as a repetition. */
export const text = z.union([
  z.string(),
  z
    .strictObject({
      repeat: z.string(),
      times: z.int().min(0).max(1_000_000),
      before: z.string().optional(),
      then: z.string().optional(),
    })
    .transform(({ repeat, times, before, then }) => `${before ?? ''}${repeat.repeat(times)}${then ?? ''}`),
]);

/** Leaves out the fields that are undefined, so that an absent answer equals an absent expectation. */
export function present<Fields extends Record<string, unknown>>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}
