/** Every numeric limit, once. Guarantees that a number two parts must agree on is written here alone; a limit that is missing here must not be invented elsewhere. */
import { type Limit } from './limit.ts';
import { DELEGATE_LIMITS, NETWORK_LIMITS, PROGRAM_LIMITS } from './program-limits.ts';
import { CONTENT_LIMITS, SEARCH_LIMITS } from './content-limits.ts';
import { CONVERSATION_LIMITS, SETTINGS_LIMITS } from './conversation-limits.ts';

export const LIMITS = Object.freeze({
  ...CONTENT_LIMITS,
  ...SEARCH_LIMITS,
  ...PROGRAM_LIMITS,
  ...NETWORK_LIMITS,
  ...DELEGATE_LIMITS,
  ...CONVERSATION_LIMITS,
  ...SETTINGS_LIMITS,
});

export type LimitId = keyof typeof LIMITS;

/** The row by its id, or by what it is a limit of. Undefined where the table has none, which never means unlimited. */
export function findLimit(sought: {
  readonly id?: string;
  readonly area: string;
  readonly name: string;
}): Limit | undefined {
  const { id, area, name } = sought;
  if (id !== undefined && Object.hasOwn(LIMITS, id)) return LIMITS[id as LimitId];
  return Object.values<Limit>(LIMITS).find((limit) => limit.area === area && limit.name === name);
}
