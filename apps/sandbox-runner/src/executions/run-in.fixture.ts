/** Runs a program in a backend under test and collects what it printed. */
import type { Limits, Program, ProgramResult, SandboxBackend } from './sandbox-backend.port.ts';

export interface Collected extends ProgramResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly started: boolean;
}

export const runIn = async (
  backend: SandboxBackend,
  program: Partial<Omit<Program, 'limits'>> & {
    readonly limits?: Partial<Limits>;
    readonly signal?: AbortSignal;
    readonly onOutput?: () => void;
  },
): Promise<Collected> => {
  const chunks: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] };
  let started = false;
  const { limits, signal, onOutput, ...rest } = program;
  const result = await backend.run(
    {
      language: 'bash',
      code: ':',
      files: [],
      env: {},
      ...rest,
      limits: { timeoutSeconds: 20, memoryMb: 256, cpu: 1, ...limits },
    },
    {
      onStarted: () => (started = true),
      onOutput: (stream, chunk) => {
        chunks[stream].push(Uint8Array.from(chunk));
        onOutput?.();
      },
      signal: signal ?? new AbortController().signal,
    },
  );
  const text = (stream: 'stdout' | 'stderr') => Buffer.concat(chunks[stream]).toString('utf8');
  return { ...result, stdout: text('stdout'), stderr: text('stderr'), started };
};
