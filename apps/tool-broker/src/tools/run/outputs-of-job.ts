/** What a job printed as outputs, each stream by itself; what it printed is content, and so is every name in it. */
import type { JobReading } from '../../sandbox/sandbox.ts';
import type { EffectOutput } from '../effect.ts';
import { isText } from '../text.ts';

export const outputsOfJob = ({ stdout, stderr }: Pick<JobReading, 'stdout' | 'stderr'>): readonly EffectOutput[] =>
  [
    { origin: 'standard output of the line', content: stdout },
    { origin: 'error output of the line', content: stderr },
  ]
    .filter(({ content }) => content.length > 0)
    .map(({ origin, content }) => ({
      origin,
      name: '',
      kind: isText(content) ? 'text' : 'binary',
      content,
      paths: [],
    }));
