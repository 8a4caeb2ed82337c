/** Replays the globs suite through the library. Guarantees that the bound on work is held by counting steps, not by a clock. */
import { compileGlob } from '@bravo/policy';
import { toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { suiteOf, text } from './suite.ts';

/** Steps a pattern may cost: its length times the path's, from the directory and from the root, for each of 64 words. */
const stepsAllowed = (glob: string, path: string): number => 2 * 64 * (glob.length + 2) * (path.length + 2);

export const globsSuite = suiteOf({
  name: 'globs',
  rows: z.strictObject({
    ...toldFields,
    tool: z.enum(['list_files', 'search']),
    glob: text,
    directory: z.string().optional(),
    path: text,
    matches: z.boolean(),
    named: z.boolean().default(false),
    costly: z.boolean().default(false),
  }),
  replay: ({ glob: written, directory, path, matches, named }) => {
    const glob = compileGlob(written);
    const meter = { steps: 0 };
    const selected = glob.selects(path, directory, meter);
    return {
      expected: { matches, named, withinBound: true },
      actual: {
        matches: selected,
        named: !selected && glob.unsupported.length > 0,
        withinBound: meter.steps <= stepsAllowed(written, path),
      },
    };
  },
});
