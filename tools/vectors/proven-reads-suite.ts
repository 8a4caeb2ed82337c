/** Replays the proven-reads suite through the library. Guarantees that a line that does not compile counts as unproven; every program a case does not place is installed outside the workspace. */
import { compileLine, proveReads } from '@bravo/policy';
import { toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { suiteOf } from './suite.ts';

export const provenReadsSuite = suiteOf({
  name: 'proven-reads',
  rows: z
    .strictObject({
      ...toldFields,
      line: z.string(),
      workspace: z.string().optional(),
      directory: z.string().optional(),
      resolves: z.record(z.string(), z.string()).default({}),
      proven: z.strictObject({ reads: z.array(z.string()) }).optional(),
      unproven: z.literal(true).optional(),
    })
    .refine((row) => (row.proven === undefined) !== (row.unproven === undefined), {
      error: 'exactly one of proven and unproven is given',
      path: ['proven'],
    }),
  replay: ({ line, workspace, directory, resolves, proven }) => {
    const compiled = compileLine(line, { isProgram: () => true });
    const resolve = (name: string): string =>
      Object.hasOwn(resolves, name) ? (resolves[name] ?? '') : `/usr/bin/${name}`;
    const reads = 'plan' in compiled ? proveReads(compiled.plan, { workspace, directory, resolve }) : undefined;
    return { expected: proven?.reads ?? 'unproven', actual: reads ?? 'unproven' };
  },
});
