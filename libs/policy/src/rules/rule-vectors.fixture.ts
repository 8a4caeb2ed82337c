/** Reads the candidates of the permission vectors. Guarantees that a field nobody named fails the run. */
import { z } from 'zod';
import type { Candidate } from './candidate.ts';

const redirect = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('2>&1') }),
  z.strictObject({ op: z.enum(['>', '>>', '<', '2>', '2>>', '&>']), path: z.string() }),
]);
const argv = z.array(z.string()).min(1);
const yes = z.literal(true).optional();

/** `more`: the fields that only the suite of whole lists has. */
function candidates(more: { step: z.ZodRawShape; bash: z.ZodRawShape; path: z.ZodRawShape; mcp: z.ZodRawShape }) {
  const step = z.strictObject({ argv, redirects: z.array(redirect).optional(), ...more.step });
  return z.union([
    z.strictObject({ family: z.literal('Bash'), argv, ...more.bash }),
    z.strictObject({ family: z.literal('Bash'), steps: z.array(step).min(1), ...more.bash }),
    z.strictObject({
      family: z.enum(['Read', 'Edit']),
      path: z.string(),
      landing: z.string().optional(),
      ...more.path,
    }),
    z.strictObject({ family: z.literal('WebFetch'), url: z.string() }),
    z.strictObject({ family: z.literal('WebFetch'), host: z.string() }),
    z.strictObject({ family: z.literal('Mcp'), server: z.string(), tool: z.string(), ...more.mcp }),
  ]);
}

export const ruleCandidate = candidates({ step: {}, bash: {}, path: {}, mcp: {} });

export const listCandidate = candidates({
  step: { env: z.record(z.string(), z.string()).optional() },
  bash: { privateInput: yes },
  path: { byReference: yes },
  mcp: { privateArguments: yes },
});

/** The candidate as the library takes it: a single command is a line of one step. */
export function toCandidate(row: z.output<typeof ruleCandidate> | z.output<typeof listCandidate>): Candidate {
  if (!('argv' in row)) return row as Candidate;
  const { argv: words, ...rest } = row;
  return { ...rest, steps: [{ argv: words }] } as Candidate;
}
