/** The limits in force: the default for what is not named, never more than the maximum, and every change said in a sentence. */
import { LIMITS } from '@bravo/policy';
import { Fault } from '@bravo/faults';
import type { Limits } from './sandbox-backend.port.ts';

export const DEFAULT_LIMITS: Limits = { timeoutSeconds: LIMITS['script-deadline'].default, memoryMb: 256, cpu: 1 };
export const MAXIMUM_LIMITS: Limits = { timeoutSeconds: LIMITS['script-deadline'].value, memoryMb: 512, cpu: 1 };
/** Below these no interpreter starts, so they would only be a puzzling way to say "do not run". */
export const MINIMUM_LIMITS: Limits = { timeoutSeconds: 1, memoryMb: 16, cpu: 0.1 };

const NAMES: readonly { readonly key: keyof Limits; readonly name: string; readonly unit: string }[] = [
  { key: 'timeoutSeconds', name: 'timeout', unit: ' s' },
  { key: 'memoryMb', name: 'memory', unit: ' MB' },
  { key: 'cpu', name: 'cpu', unit: ' cores' },
];

export interface LimitBounds {
  readonly usual: Limits;
  readonly most: Limits;
}

const OF_PROGRAMS: LimitBounds = { usual: DEFAULT_LIMITS, most: MAXIMUM_LIMITS };

/** 0 asks for the default. Throws `invalid_argument` for what is no limit. */
export const clampLimits = (
  asked: Limits,
  { usual, most }: LimitBounds = OF_PROGRAMS,
): { limits: Limits; notices: string[] } => {
  const limits = { ...usual } as { -readonly [K in keyof Limits]: Limits[K] };
  const notices: string[] = [];
  for (const { key, name, unit } of NAMES) {
    const value = asked[key];
    if (!Number.isFinite(value) || value < 0) {
      throw new Fault('invalid_argument', `The limit ${name} must be a positive number, or 0 for the default.`, {
        meta: { field: `limits.${key}` },
      });
    }
    if (value === 0) continue;
    limits[key] = Math.min(Math.max(value, MINIMUM_LIMITS[key]), most[key]);
    if (limits[key] !== value) {
      const bound = limits[key] < value ? 'most' : 'least';
      notices.push(`The ${name} of ${value}${unit} was set to ${limits[key]}${unit}, the ${bound} that is allowed.`);
    }
  }
  return { limits, notices };
};
