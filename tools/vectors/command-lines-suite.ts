/** Replays the command-lines suite through the library's compiler. Guarantees that the whole plan is compared, or the code of the refusal. */
import { compileLine, LINE_REFUSALS, type LineRefusalCode, type LineStep, sequenceOf } from '@bravo/policy';
import { toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { suiteOf } from './suite.ts';

const redirect = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('2>&1') }),
  z.strictObject({ op: z.enum(['>', '>>', '<', '2>', '2>>', '&>']), path: z.string() }),
]);
const step = z.strictObject({
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()).default({}),
  redirects: z.array(redirect).default([]),
});
const code = z.enum(Object.keys(LINE_REFUSALS) as [LineRefusalCode, ...LineRefusalCode[]]);

export const commandLinesSuite = suiteOf({
  name: 'command-lines',
  rows: z.strictObject({
    ...toldFields,
    line: z.string(),
    files: z.array(z.string()).default([]),
    missing: z.array(z.string()).default([]),
    home: z.string().optional(),
    expect: z.union([
      z.strictObject({ plan: z.array(z.union([z.enum(['|', '&&', '||', ';']), step])) }),
      z.strictObject({ refused: code }),
    ]),
  }),
  replay: ({ line, files, missing, home, expect: expected }) => {
    const compiled = compileLine(line, { files, home, isProgram: (name) => !missing.includes(name) });
    if ('refused' in compiled) return { expected, actual: { refused: compiled.refused.code } };
    return { expected, actual: { plan: sequenceOf(compiled.plan).map(toPlain) } };
  },
});

/** The step with ordinary objects in it, so that it can be compared deeply. */
function toPlain(part: LineStep | string): unknown {
  if (typeof part === 'string') return part;
  return { argv: part.argv, env: { ...part.env }, redirects: part.redirects };
}
