/** What a person sees of a long command: one line per step with its time; machine-readable output stays alone on stdout. */

export interface Reporter {
  /** Ends the step before, as done, and begins the next. */
  step(label: string): void;
  /** A line under the step in hand. */
  note(sentence: string): void;
  /** Ends the last step as done. */
  done(): void;
  /** Ends the step in hand as failed. */
  failed(): void;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Writes to `stream`; on a terminal the running step is shown and overwritten by its result. */
export const createReporter = (stream: NodeJS.WriteStream = process.stderr): Reporter => {
  let current: { label: string; begun: number } | undefined;
  const clear = (): void => {
    if (stream.isTTY) stream.write('\r\x1b[2K');
  };
  const end = (mark: string): void => {
    if (current === undefined) return;
    clear();
    stream.write(`${mark} ${current.label} (${seconds(Date.now() - current.begun)})\n`);
    current = undefined;
  };
  return {
    step: (label) => {
      end('✓');
      current = { label, begun: Date.now() };
      if (stream.isTTY) stream.write(`… ${label}`);
    },
    note: (sentence) => {
      clear();
      stream.write(`    ${sentence}\n`);
      if (stream.isTTY && current) stream.write(`… ${current.label}`);
    },
    done: () => end('✓'),
    failed: () => end('✗'),
  };
};

export const printLine = (text = ''): void => {
  process.stdout.write(`${text}\n`);
};

export const printJson = (value: unknown): void => printLine(JSON.stringify(value, null, 2));
