/** Which places a listing comes upon may not be read. Guarantees that what lies below a denied directory is denied with it, and that rules nobody could read deny everything. */
import type { CompiledRules } from '@bravo/policy';
import { toPathCandidate } from './judge-by-rules.ts';

/** Of each path, workspace-relative as the listing gives it. */
export const judgeReadDenials = (
  rules: Pick<CompiledRules, 'judge'> | 'unknown',
  paths: readonly string[],
): readonly boolean[] => {
  if (rules === 'unknown') return paths.map(() => true);
  const known = new Map<string, boolean>();
  const isDenied = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const slash = path.lastIndexOf('/');
    const denied =
      (slash > 0 && isDenied(path.slice(0, slash))) ||
      rules.judge(toPathCandidate({ named: path, access: 'read' })).deny.length > 0;
    known.set(path, denied);
    return denied;
  };
  return paths.map(isDenied);
};
