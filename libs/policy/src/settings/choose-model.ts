/** Which model a request names. Guarantees one order of who chose it and that a name only another tool knows is never sent; it must never fail for want of a choice. */

export interface ModelChoices {
  /** Given for this run alone. */
  readonly flag?: string | undefined;
  /** What the person picked and was kept. */
  readonly recorded?: string | undefined;
  /** The variable in the environment. */
  readonly exported?: string | undefined;
  /** `model` of the settings in force. */
  readonly setting?: string | undefined;
  /** The model that an account named for a tier word. */
  readonly tiers?: Readonly<Record<string, string>> | undefined;
  readonly builtin: string;
}

/** Words that name a tier and no model. A settings file written for another tool has them. */
export const MODEL_TIERS: readonly string[] = ['opus', 'sonnet', 'haiku'];

/** A name that means another service's triage, and what it is rewritten to. */
const OLD_AUTOMATIC = 'automatic';
export const AUTOMATIC_MODEL = 'automatic-brave-bot';

/** The closest choice that is one: flag, recorded, exported, setting, built in. A tier nobody named a model for falls back to the built-in one. */
export function chooseModel({ flag, recorded, exported, setting, tiers = {}, builtin }: ModelChoices): string {
  const chosen =
    [flag, recorded, exported, setting].find((name) => name !== undefined && name.trim() !== '') ?? builtin;
  const named = MODEL_TIERS.includes(chosen)
    ? ((Object.hasOwn(tiers, chosen) ? tiers[chosen] : undefined) ?? builtin)
    : chosen;
  return named === OLD_AUTOMATIC ? AUTOMATIC_MODEL : named;
}
