/** The programs of the soak, each with what must come of it when nobody interferes. */
import type { Language, Limits } from '../executions/sandbox-backend.port.ts';

export interface SoakRequest {
  readonly id: number;
  readonly program: {
    readonly language: Language;
    readonly code: string;
    readonly files: readonly { readonly path: string; readonly text: string }[];
    readonly env: Readonly<Record<string, string>>;
    readonly limits: Partial<Limits>;
  };
  readonly cancelAfterMs?: number;
}

export interface SoakAnswer {
  readonly id: number;
  readonly outcome?: string;
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly files?: number;
  readonly error?: string;
}

interface SoakKind {
  readonly language: Language;
  readonly code: string;
  readonly text?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
  readonly cancelAfterMs?: number;
  /** Outcomes that may come of it. */
  readonly outcomes: readonly string[];
  readonly stdout?: string;
  readonly files?: number;
}

export const SOAK_KINDS: readonly SoakKind[] = [
  { language: 'bash', code: 'echo $((6*7))', outcomes: ['ok'], stdout: '42\n' },
  { language: 'python', code: 'print(6*7)', outcomes: ['ok'], stdout: '42\n' },
  { language: 'node', code: 'console.log(6*7)', outcomes: ['ok'], stdout: '42\n' },
  {
    language: 'bash',
    code: 'tr a-z A-Z < in > out; cat out',
    text: 'files',
    outcomes: ['ok'],
    stdout: 'FILES',
    files: 1,
  },
  { language: 'bash', code: 'for i in {1..40}; do echo $i > f$i; done', outcomes: ['ok'], files: 40 },
  { language: 'bash', code: 'echo "$NAME"', env: { NAME: 'cold' }, outcomes: ['ok'], stdout: 'cold\n' },
  {
    language: 'bash',
    code: 'trap "" TERM; (setsid sleep 99 &); sleep 99',
    limits: { timeoutSeconds: 1 },
    outcomes: ['timed_out'],
  },
  { language: 'python', code: 'x = b"a" * (200 << 20)', limits: { memoryMb: 48 }, outcomes: ['oom_killed'] },
  { language: 'bash', code: 'yes', outcomes: ['output_limit'] },
  { language: 'bash', code: '(sleep 99; echo late) & echo done', outcomes: ['ok'], stdout: 'done\n' },
  { language: 'bash', code: 'sleep 99', cancelAfterMs: 150, outcomes: ['cancelled'] },
  {
    language: 'python',
    code: 'import os\nwhile True:\n  try: os.fork() or os._exit(0) if False else os.fork()\n  except OSError: break',
    outcomes: ['ok'],
  },
];

/** @param pick a number from 0 up to but not 1. */
export const soakRequest = (id: number, pick: number): { request: SoakRequest; kind: SoakKind } => {
  const kind = SOAK_KINDS[Math.floor(pick * SOAK_KINDS.length)] ?? SOAK_KINDS[0];
  if (kind === undefined) throw new Error('there are no kinds');
  const { language, code, text, env = {}, limits = {}, cancelAfterMs } = kind;
  const files = text === undefined ? [] : [{ path: 'in', text }];
  const program = { language, code, files, env, limits };
  return { kind, request: { id, program, ...(cancelAfterMs === undefined ? {} : { cancelAfterMs }) } };
};
