/** What the rules say of an address that nobody was shown: where a server would lead a fetch that runs. Only a plain allow lets it go there. */
import type { CompiledRules } from '@bravo/policy';
import { judgeByRules } from './judge-by-rules.ts';

export type HopVerdict = 'deny' | 'ask' | 'allow' | 'silent';

/** Rules that cannot be read deny. */
export const judgeHop = (
  rules: Pick<CompiledRules, 'judge'> | 'unknown',
  url: string,
  attended: boolean,
): HopVerdict => {
  if (rules === 'unknown') return 'deny';
  const { deny, ask, allow } = judgeByRules(rules, undefined, [{ url }], attended);
  if (deny.length > 0) return 'deny';
  if (ask.length > 0) return 'ask';
  return allow.length > 0 ? 'allow' : 'silent';
};
