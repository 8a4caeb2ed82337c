/** The conversation's mode as a radio group; what each mode lets @bravo do is said where it is chosen. */
import type { Mode } from '../api/contract.ts';

export const MODES: { mode: Mode; name: string; hint: string }[] = [
  { mode: 'ask', name: 'Ask', hint: '@bravo may look and answer, and change nothing.' },
  { mode: 'coworker', name: 'Co-worker', hint: '@bravo may do what you may do, and asks where a person must decide.' },
  { mode: 'voice', name: 'Voice', hint: '@bravo may look, and change automation rules and brand-voice profiles.' },
];

export function modeName(mode: Mode): string {
  return MODES.find((entry) => entry.mode === mode)?.name ?? mode;
}

export function ModeSwitch({
  mode,
  disabled,
  onChange,
}: {
  mode: Mode;
  disabled: boolean;
  onChange: (mode: Mode) => void;
}) {
  return (
    <fieldset disabled={disabled} role="radiogroup" aria-label="Mode" className="flex rounded-lg bg-sunken p-0.5">
      {MODES.map((entry) => (
        <label
          key={entry.mode}
          title={entry.hint}
          className="rounded-md px-2.5 py-1 text-[0.8125rem] text-muted transition-colors hover:text-foreground has-checked:bg-surface has-checked:font-medium has-checked:text-foreground has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent has-disabled:cursor-not-allowed has-disabled:opacity-60"
        >
          <input
            type="radio"
            name="mode"
            value={entry.mode}
            checked={mode === entry.mode}
            onChange={() => onChange(entry.mode)}
            data-testid={`mode-${entry.mode}`}
            aria-describedby={`mode-hint-${entry.mode}`}
            className="sr-only"
          />
          {entry.name}
          <span id={`mode-hint-${entry.mode}`} className="sr-only">
            {entry.hint}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
