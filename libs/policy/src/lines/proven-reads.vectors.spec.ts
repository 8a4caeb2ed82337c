import { loadVectors, toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { compileLine } from './compile-line.ts';
import { proveReads } from './prove-reads.ts';

const cases = z
  .strictObject({
    ...toldFields,
    line: z.string(),
    workspace: z.string().optional(),
    directory: z.string().optional(),
    resolves: z.record(z.string(), z.string()).default({}),
    proven: z.strictObject({ reads: z.array(z.string()) }).optional(),
    unproven: z.literal(true).optional(),
  })
  .refine((row) => (row.proven === undefined) !== (row.unproven === undefined), 'exactly one of proven and unproven');

describe('proven-reads.yaml', () => {
  it.each(loadVectors('proven-reads', cases).map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const compiled = compileLine(row.line, { isProgram: () => true });
    const reads =
      'plan' in compiled
        ? proveReads(compiled.plan, {
            workspace: row.workspace,
            directory: row.directory,
            resolve: (name) => row.resolves[name] ?? `/usr/bin/${name}`,
          })
        : undefined;
    expect(reads).toEqual(row.proven?.reads);
  });
});
