/** Replays the limits suite against the one table. Guarantees that a row the table lacks fails instead of being taken from the case. */
import { applyLimit, findLimit, type Limit, LIMITS } from '@bravo/policy';
import { toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { present, suiteOf } from './suite.ts';

const past = z.enum(['refuse', 'clamp', 'truncate+say', 'other']);
const probe = z.strictObject({
  given: z.number(),
  outcome: z.enum(['accept', ...past.options]),
  effective: z.number().optional(),
});

export const limitRows = z
  .strictObject({
    ...toldFields,
    tool: z.string(),
    name: z.string(),
    value: z.number(),
    unit: z.string(),
    min: z.number().optional(),
    default: z.number().optional(),
    past,
    pastText: z.string().optional(),
    probes: z.array(probe).default([]),
  })
  .refine((row) => row.past !== 'other' || row.pastText !== undefined, {
    error: 'is required where past is other',
    path: ['pastText'],
  });

export const limitsSuite = suiteOf({
  name: 'limits',
  rows: limitRows,
  replay: ({ id, tool, name, value, unit, min, default: byDefault, past: then, probes }) => {
    const limit = findLimit({ id, area: tool, name }) ?? findByWords(`${id} ${tool} ${name}`, unit);
    const expected = {
      limit: present({ value, unit, min, default: byDefault, past: then }),
      probes: probes.map(({ outcome, effective }) => present({ outcome, effective })),
    };
    if (limit === undefined) return { expected, actual: 'the table has no such limit' };
    const answers = probes.map(({ given, effective }) => {
      const verdict = applyLimit(limit, given);
      // What an accepted amount comes to is the amount; a case writes it down only where it was changed.
      const comesTo = 'effective' in verdict && effective !== undefined ? verdict.effective : undefined;
      return present({ outcome: verdict.outcome, effective: comesTo });
    });
    return {
      expected,
      actual: {
        limit: present({
          value: limit.value,
          unit: limit.unit,
          min: limit.min,
          default: limit.default,
          past: limit.past,
        }),
        probes: answers,
      },
    };
  },
});

/** For a case that names the limit in words of its own: the one row with this unit that shares most of them, and at least two. Never looks at a number. */
function findByWords(sought: string, unit: string): Limit | undefined {
  const words = wordsOf(sought);
  const scored = Object.entries<Limit>(LIMITS)
    .filter(([, limit]) => limit.unit === unit)
    .map(([id, limit]) => ({
      limit,
      score: [...wordsOf(`${id} ${limit.area} ${limit.name}`)].filter((word) => words.has(word)).length,
    }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  return best !== undefined && best.score >= 2 && best.score > (next?.score ?? 0) ? best.limit : undefined;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z]{3,}/g));
}
