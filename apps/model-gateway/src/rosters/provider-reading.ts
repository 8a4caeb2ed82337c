/** The services that settings configure, and why a block of them configures none. */
import type { ProviderEntry } from '../providers/provider-entry.ts';

export interface ProviderNote {
  /** Dotted key. */
  readonly key: string;
  readonly text: string;
}

export interface ProviderReading {
  readonly entries: readonly ProviderEntry[];
  /** Blocks that configure no service. */
  readonly notes: readonly ProviderNote[];
  /** Tier word to the model the account named for it. */
  readonly tiers: Readonly<Record<string, string>>;
}
