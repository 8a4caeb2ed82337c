/** The page's one button, in its few looks; it is always a real `button`, so that keyboard and assistive tools work unaided. */
import type { ButtonHTMLAttributes, Ref } from 'react';
import { classNames } from './class-names.ts';

const LOOKS = {
  primary: 'bg-accent text-accent-foreground hover:bg-accent-hover font-medium',
  /** A second choice of the same kind as the primary one. */
  accent: 'border border-accent bg-accent-soft text-accent hover:border-accent-hover hover:bg-surface font-medium',
  outline: 'border border-border-strong bg-surface hover:bg-raised font-medium',
  danger: 'border border-border-strong bg-surface text-bad hover:bg-bad-soft font-medium',
  ghost: 'text-muted hover:bg-raised hover:text-foreground',
} as const;

const SIZES = {
  medium: 'min-h-9 px-3.5 py-1.5 text-sm',
  small: 'min-h-7 px-2.5 py-1 text-[0.8125rem]',
  icon: 'size-9 shrink-0',
} as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof LOOKS;
  size?: keyof typeof SIZES;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'outline', size = 'medium', className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(
        'inline-flex items-center justify-center gap-2 rounded-lg text-center leading-tight transition-colors disabled:opacity-50',
        LOOKS[look],
        SIZES[size],
        className,
      )}
      {...rest}
    />
  );
}
