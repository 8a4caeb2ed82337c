/** Where a workspace's secrets are sealed; no way leads back to a value. */
import type { Caller } from '../callers/caller.ts';

export interface Secrets {
  /** @throws Fault permission_denied. */
  list(caller: Caller): Promise<readonly string[]>;
  /** @throws Fault invalid_argument, permission_denied. */
  put(caller: Caller, name: string, value: string): Promise<void>;
}
