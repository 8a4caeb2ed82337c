/** Whether a program the agent runs is kept from our credentials. Guarantees that only one exact spelling switches it off; a near miss must never do it. */

export const SCRUB_SWITCH = 'BRAVEBOT_SUBPROCESS_ENV_SCRUB';

/** `environment` holds the variables as consulted; a name that is absent is unset. */
export function withholdsCredentials(environment: Readonly<Record<string, string | undefined>>): boolean {
  return !(Object.hasOwn(environment, SCRUB_SWITCH) && environment[SCRUB_SWITCH] === '0');
}
