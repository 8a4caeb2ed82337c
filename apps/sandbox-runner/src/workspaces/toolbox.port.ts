/** Where the files of one conversation are opened: a process of its own beside them. What it answers is the word of an untrusted program. */
import type { FilesPlace } from '../jobs/job-backend.port.ts';
import type { ToolAnswer, ToolRequest, ToolVerb } from '@bravo/workspace-files';

export interface Toolbox {
  /**
   * Throws the fault the toolbox answered with, `invalid_argument` to `resource_exhausted`; `unavailable` when it is gone or
   * slow; `internal` for an answer that is none.
   */
  ask<V extends ToolVerb>(
    verb: V,
    request: ToolRequest<V>,
    content?: Uint8Array,
  ): Promise<{ readonly answer: ToolAnswer<V>; readonly bytes: Buffer }>;
  /** Where programs may work on its files; absent where they could not be kept apart from anything else. */
  readonly files?: FilesPlace;
  /** False once it ended, however that came. Its files are gone with it. */
  readonly alive: boolean;
  /** Ends it with everything it held. Idempotent. */
  stop(): Promise<void>;
}

export interface ToolboxesDescription {
  /** `contained`: in a sandbox of its own on a filesystem of limited size. `process`: a plain process that stands in for it. */
  readonly isolation: 'contained' | 'process';
  /** Why it is not contained; '' when it is. */
  readonly reason: string;
}

export interface Toolboxes {
  describe(): Promise<ToolboxesDescription>;
  /** Starts one over an empty volume. Throws `sandbox_unavailable` where it cannot be had. */
  open(): Promise<Toolbox>;
  close(): Promise<void>;
}
