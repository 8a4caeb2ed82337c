/** What every command is: a name, a line of help, and a function that ends with an exit code. */

export interface CommandContext {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Command {
  readonly summary: string;
  readonly usage: string;
  /** Resolves with the exit code. A CommandError is shown as its sentence alone. */
  run(context: CommandContext): Promise<number>;
}

/** Something a person can mend; shown without a stack trace. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(sentence: string, exitCode = 1) {
    super(sentence);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
