/** What the measuring process is asked for and answers with. */
import type { SandboxSettings } from '../apps/sandbox-runner/src/executions/oci/prepare-sandbox.ts';
import type { Language } from '../apps/sandbox-runner/src/executions/sandbox-backend.port.ts';

export interface SandboxOrder {
  readonly settings: Pick<SandboxSettings, 'runtime' | 'images' | 'nodeProgram' | 'seccompProfile'>;
  /** Command lines of the interpreters with an empty program, outside of any sandbox. */
  readonly bare: Readonly<Record<Language, readonly string[]>>;
  readonly samples: number;
  /** Pause before each sample: on a machine that never rests, nothing is ever furnished ahead of need. */
  readonly restMs: number;
  readonly sequential: number;
  readonly concurrent: number;
  readonly volumeMib: number;
  readonly floods: number;
}

/** Milliseconds from the request to the result. */
export interface Timings {
  readonly language: Language;
  readonly atOnce: number;
  readonly cold: number[];
  readonly warm: number[];
  /** `crun run` of the bundle the sandbox made. */
  readonly raw: number[];
  readonly bare: number[];
}

export interface SandboxNumbers {
  readonly timings: readonly Timings[];
  readonly waiting: readonly { readonly what: string; readonly count: number; readonly bytes: number }[];
  readonly sequentialMs: number;
  readonly concurrentMs: number;
  readonly inMibPerSecond: number;
  readonly outMibPerSecond: number;
  /** Processor time of the runner for a program that floods its output until it is ended. */
  readonly floodCpuMs: number;
}
