import { compileRules } from '../rules/compile-rules.ts';
import { compileLine } from './compile-line.ts';
import { candidateOfPlan, type PlanPlace } from './judge-plan.ts';

const rules = compileRules(
  [
    {
      layer: 'user',
      deny: ['Edit(src/**)', 'Read(//w/keys/**)', 'Bash(curl *)'],
      ask: ['Read(.env)'],
      allow: ['Bash(ls *)', 'Bash(wc *)'],
    },
  ],
  { caseFolding: 'unknown', platform: 'posix' },
);

function verdictOf(line: string, place: Partial<PlanPlace> = {}): string {
  const compiled = compileLine(line, { isProgram: () => true });
  if ('refused' in compiled) return compiled.refused.code;
  return rules.judge(candidateOfPlan(compiled.plan, { workspace: '/w', ...place })).verdict;
}

describe('a compiled line under rules', () => {
  it.each<[string, Partial<PlanPlace>, string]>([
    ['ls -la | wc -l', {}, 'allow'],
    ['ls | curl x', {}, 'deny'],
    ['ls 2>&1', {}, 'allow'],
    ['ls > /dev/null', {}, 'allow'],
    ['ls > src/out', {}, 'deny'],
    ['ls > out', { directory: 'src' }, 'deny'],
    ['ls > out', { directory: '/w/src' }, 'deny'],
    ['ls > ../src/out', { directory: 'lib' }, 'deny'],
    ['ls > /w/src/out', {}, 'deny'],
    ['ls > out', {}, 'none'],
    ['wc < keys/a', {}, 'deny'],
    ['wc < .env', {}, 'ask'],
    ['wc < link', { landingOf: (path) => (path === 'link' ? '.env' : undefined) }, 'ask'],
    ['A=1 ls', {}, 'none'],
    ['ls', { privateInput: true }, 'none'],
  ])('%s %j: %s', (line, place, verdict) => {
    expect(verdictOf(line, place)).toBe(verdict);
  });
});
