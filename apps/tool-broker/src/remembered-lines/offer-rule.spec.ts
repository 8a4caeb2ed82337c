import { describe, expect, it } from '@jest/globals';
import type { Asked } from '@bravo/policy';
import { offerRule } from './offer-rule.ts';

interface Line {
  readonly steps?: readonly object[];
  readonly given?: object;
  readonly rememberable?: boolean;
}
const step = (argv: readonly string[], more: object = {}) => ({
  ...{ argv, program: argv[0], env: {}, redirects: [], ...more },
});
const offered = ({ steps = [step(['make', 'test'])], given = {}, rememberable = true }: Line): string =>
  offerRule({
    ...(rememberable ? { rememberable: true } : {}),
    boundTo: {
      call: {
        arguments: { command: 'make test', ...given },
        targets: { command: { steps, connectors: steps.slice(1).map(() => '&&') } },
      },
    },
  } as unknown as Asked);

describe('the rule a line is remembered by [remember.exact]', () => {
  it('names one program with its very words', () => {
    expect(offered({})).toBe('Bash(make test)');
    expect(offered({ steps: [step(['grep', '-n', 'TODO', 'src/app.ts'])] })).toBe('Bash(grep -n TODO src/app.ts)');
  });

  it.each<[string, Line]>([
    ['a person answers each time', { rememberable: false }],
    ['has two steps', { steps: [step(['make']), step(['make', 'test'])] }],
    ['has a word with a star', { steps: [step(['rm', '*'])] }],
    ['has a word with a space, which would be two', { steps: [step(['echo', 'a b'])] }],
    ['has a bracket', { steps: [step(['echo', 'a)'])] }],
    ['has a letter that only looks like another', { steps: [step(['m\u0430ke'])] }],
    ['would end in a pattern', { steps: [step(['make', ':*'])] }],
    ['sets the environment', { steps: [step(['make'], { env: { A: '1' } })] }],
    ['writes a file', { steps: [step(['make'], { redirects: [{ op: '>', path: 'a' }] })] }],
    ['runs in another directory', { given: { directory: 'src' } }],
    ['is given a reference', { given: { stdin_ref: 'ref:1' } }],
    ['is no line', { steps: [] }],
  ])('is none where it %s', (_, line) => {
    expect(offered(line)).toBe('');
  });
});
