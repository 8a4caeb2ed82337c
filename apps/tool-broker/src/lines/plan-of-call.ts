/** The compiled plan among what a call resolved to; whoever shows or runs a plan reads it here, so that both are one. */
import type { JsonObject } from '@bravo/policy';
import { z } from 'zod';
import type { SandboxPlan } from '../sandbox/sandbox.ts';

/** The argument that is a command line, by its name in the manifest of `run`. */
export const LINE_ARGUMENT = 'command';

const boundPlan = z.strictObject({
  steps: z.array(
    z.strictObject({
      argv: z.array(z.string()),
      program: z.string(),
      env: z.record(z.string(), z.string()),
      redirects: z.array(z.strictObject({ op: z.string(), path: z.string() })),
    }),
  ),
  connectors: z.array(z.string()),
  /** Files it is proven to read, and nothing else. */
  reads: z.array(z.string()).optional(),
});
export type BoundPlan = SandboxPlan & { readonly reads?: readonly string[] | undefined };

export const planOf = (targets: JsonObject): JsonObject | undefined => {
  const target = Object.hasOwn(targets, LINE_ARGUMENT) ? targets[LINE_ARGUMENT] : undefined;
  return typeof target === 'object' && target !== null && !Array.isArray(target) ? (target as JsonObject) : undefined;
};

/** As people are shown it. */
export const shownPlan = (targets: JsonObject): z.output<typeof boundPlan> | undefined => {
  const plan = planOf(targets);
  return plan === undefined ? undefined : boundPlan.parse(plan);
};

/** @throws where there is none, or another than was judged. */
export const readBoundPlan = (targets: JsonObject): BoundPlan => boundPlan.parse(planOf(targets));
