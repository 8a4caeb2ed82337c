/** Which read-only root and which interpreter each language has on this machine, and for a language without one the remedy. */
import type { Language } from '../sandbox-backend.port.ts';
import type { HostBind } from '@bravo/container-runtime/oci';

export interface LanguageRoot {
  /** Absolute host path of the root directory, which any user may enter. */
  readonly root: string;
  readonly binds: readonly HostBind[];
  /** Path inside. */
  readonly interpreter: string;
}

export interface LanguageRoots {
  readonly found: ReadonlyMap<Language, LanguageRoot>;
  /** For each one that is not there, a sentence with the remedy. */
  readonly missing: ReadonlyMap<Language, string>;
}
