/** Replays the search-patterns suite through the library. Guarantees that a refusal is compared by its reason, a match by its line. */
import { readSearchPattern } from '@bravo/policy';
import { toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { suiteOf, text } from './suite.ts';

const why = z.enum(['lookaround', 'named-group', 'flag', 'backreference', 'too-long', 'too-deep', 'malformed']);

export const searchPatternsSuite = suiteOf({
  name: 'search-patterns',
  rows: z
    .strictObject({
      ...toldFields,
      pattern: z.union([text, z.array(text)]),
      caseSensitive: z.boolean().default(true),
      lines: z.array(text),
      matching: z.array(z.int()).optional(),
      refused: z.literal(true).optional(),
      why: why.optional(),
      costly: z.boolean().default(false),
    })
    .refine((row) => (row.matching === undefined) === (row.refused === true && row.why !== undefined), {
      error: 'a case has either matching, or refused with why',
      path: ['matching'],
    }),
  replay: ({ pattern, caseSensitive, lines, matching, why: reason }) => {
    const reading = readSearchPattern(pattern, { caseSensitive });
    const expected = reason === undefined ? { matching } : { refused: reason };
    if (!reading.ok) return { expected, actual: { refused: reading.refusal.reason } };
    const found = lines.flatMap((line, at) => (reading.pattern.matches(line) ? [at + 1] : []));
    return { expected, actual: { matching: found } };
  },
});
