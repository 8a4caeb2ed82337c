/** A sentence the person should see, with what they can do about it. */
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { AlertIcon } from './icons.tsx';

const TONES = {
  bad: 'bg-bad-soft text-bad',
  ask: 'bg-ask-soft text-ask',
  plain: 'bg-sunken text-muted',
} as const;

export function Notice({
  tone = 'bad',
  children,
  action,
  className,
}: {
  tone?: keyof typeof TONES;
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classNames('flex items-start gap-2.5 rounded-lg px-3 py-2.5 text-sm', TONES[tone], className)}
    >
      <AlertIcon className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 wrap-anywhere">{children}</div>
      {action}
    </div>
  );
}
