/** Where settings layers are kept; who may read and write which is decided there. */
import type { Caller } from '../callers/caller.ts';

export interface StoredLayer {
  /** JSON text of an object. */
  readonly text: string;
  /** 0: nobody has written it yet. */
  readonly version: number;
}

/** `conversationId` counts for the layer of one conversation only. */
export interface SettingsStore {
  /** @throws Fault permission_denied, invalid_argument for a layer there is none of. */
  read(caller: Caller, layer: string, conversationId: string): Promise<StoredLayer>;
  /** `seen` 0: whatever version is there. @returns the new version. @throws Fault version_conflict, permission_denied, invalid_argument naming line and column. */
  replace(caller: Caller, layer: string, conversationId: string, text: string, seen: number): Promise<number>;
  /** A layer that rules over the caller's, whether or not they may read it themselves. */
  readAbove(caller: Caller, layer: string, conversationId: string): Promise<StoredLayer>;
}
