/** A short status word in a pill; colour repeats what the word says and never says more. */
import type { HTMLAttributes } from 'react';
import { classNames } from './class-names.ts';

const TONES = {
  plain: 'bg-sunken text-muted',
  good: 'bg-good-soft text-good',
  ask: 'bg-ask-soft text-ask',
  bad: 'bg-bad-soft text-bad',
  accent: 'bg-accent-soft text-accent',
} as const;

export type Tone = keyof typeof TONES;

export function Badge({ tone = 'plain', className, ...rest }: HTMLAttributes<HTMLSpanElement> & { tone?: Tone }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
        className,
      )}
      {...rest}
    />
  );
}
