/** What reading settings has to say to the person who wrote them. Guarantees names of keys and layers; it must never hold a value, save the text of a rule that cannot be read. */

/** A key that was read past: nobody knows it, its value is of no use, or this layer may not say it. */
export interface IgnoredKey {
  readonly layer: string;
  /** Dotted, for example `env.A`. */
  readonly key: string;
  readonly why:
    'unknown-key' | 'not-a-string' | 'not-an-object' | 'not-on-this-layer' | 'locked' | 'refused-provider' | 'looser';
  readonly text: string;
}

/** A known key whose value makes no sense and therefore counts as absent. */
export interface UselessValue {
  readonly layer: string;
  readonly key: string;
  /** What a value would have to be. */
  readonly needed: string;
}

export interface SettingsProblem {
  readonly layer: string;
  readonly what: 'unparseable' | 'too-large' | 'unreadable-rule';
  /** The rule as written, where `what` is about one. */
  readonly item?: string;
  readonly text: string;
  readonly line?: number;
}

/** Collects while layers are read, in the order they are. */
export interface SettingsNotes {
  readonly ignored: IgnoredKey[];
  readonly useless: UselessValue[];
  readonly problems: SettingsProblem[];
}
