/** What rules say where nobody is watching. Guarantees that an allow rule then decides nothing; deny and ask must hold either way. */
import type { RuleJudgement } from './compile-rules.ts';

export function judgeWatched(judgement: RuleJudgement, watched: boolean): RuleJudgement {
  if (watched) return judgement;
  const silent = judgement.verdict === 'allow';
  return silent ? { ...judgement, allow: [], verdict: 'none', decidedBy: [] } : { ...judgement, allow: [] };
}
