import { loadVectors, toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { compileLine, sequenceOf } from './compile-line.ts';
import { LINE_REFUSALS, type LineRefusalCode, type Redirect } from './line-plan.ts';

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

const cases = z.strictObject({
  ...toldFields,
  line: z.string(),
  files: z.array(z.string()).default([]),
  missing: z.array(z.string()).default([]),
  home: z.string().optional(),
  expect: z.union([
    z.strictObject({ plan: z.array(z.union([z.enum(['|', '&&', '||', ';']), step])) }),
    z.strictObject({ refused: code }),
  ]),
});

describe('command-lines.yaml', () => {
  it.each(loadVectors('command-lines', cases).map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const compiled = compileLine(row.line, {
      files: row.files,
      home: row.home,
      isProgram: (name) => !row.missing.includes(name),
    });
    if ('refused' in compiled) {
      expect(compiled.refused.text).toMatch(/\S/);
      return expect({ refused: compiled.refused.code }).toEqual(row.expect);
    }
    const plan = sequenceOf(compiled.plan).map((part) =>
      typeof part === 'string' ? part : { ...part, env: { ...part.env }, redirects: part.redirects.map(plainly) },
    );
    return expect({ plan }).toEqual(row.expect);
  });
});

function plainly(written: Redirect): Redirect {
  return { ...written };
}
