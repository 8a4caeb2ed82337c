/** How a person wants to hear of things. Guarantees that what is stored can be acted on; nothing that was not chosen is ever sent out. */
import { Fault } from '@bravo/faults';

export const KINDS = ['approval_wanted', 'turn_finished', 'budget_near', 'trail_problem'] as const;
export type Kind = (typeof KINDS)[number];
/** Waits for nobody's digest. */
export const URGENT: readonly Kind[] = ['approval_wanted', 'trail_problem'];

export interface Preferences {
  readonly email: readonly Kind[];
  /** "HH:MM"; empty: each at once. */
  readonly digest: string;
  /** "HH:MM" each, both or neither empty. */
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly timeZone: string;
  /** https address; empty for none. */
  readonly webhook: string;
  readonly webhookKinds: readonly Kind[];
}

/** In the app, and nowhere else. */
export const DEFAULT_PREFERENCES: Preferences = {
  email: [],
  digest: '',
  quietFrom: '',
  quietTo: '',
  timeZone: 'UTC',
  ...{ webhook: '', webhookKinds: [] },
};

/** @throws Fault naming the field that cannot be acted on. */
export const readPreferences = (given: {
  readonly email: readonly string[];
  readonly digest: string;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly timeZone: string;
  readonly webhook: string;
  readonly webhookKinds: readonly string[];
}): Preferences => {
  const { digest, quietFrom, quietTo, timeZone } = given;
  const email = readKinds('email', given.email);
  const webhookKinds = readKinds('webhook_kinds', given.webhookKinds);
  for (const [field, time] of Object.entries({ digest, quiet_from: quietFrom, quiet_to: quietTo }))
    if (time !== '' && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
      throw invalid(field, `"${time.slice(0, 10)}" is no time of day: write it as 07:30.`);
  if ((quietFrom === '') !== (quietTo === ''))
    throw invalid('quiet_to', 'Quiet hours have a beginning and an end: give both or neither.');
  if (quietFrom !== '' && quietFrom === quietTo)
    throw invalid('quiet_to', 'Quiet hours that end when they begin would be the whole day or none of it.');
  if (!isTimeZone(timeZone))
    throw invalid('time_zone', `"${timeZone.slice(0, 60)}" is no time zone: write Europe/Zurich or UTC.`);
  return { email, digest, quietFrom, quietTo, timeZone, webhook: readWebhook(given.webhook), webhookKinds };
};

const readKinds = (field: string, kinds: readonly string[]): Kind[] => {
  const strange = kinds.find((kind) => !(KINDS as readonly string[]).includes(kind));
  if (strange !== undefined) throw invalid(field, `There is no kind "${strange.slice(0, 40)}": ${KINDS.join(', ')}.`);
  return [...new Set(kinds)] as Kind[];
};

const readWebhook = (text: string): string => {
  if (text === '') return '';
  const url = text.length <= 2_000 && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.hash !== '')
    throw invalid('webhook', 'A webhook is an address with https:// and without a user, a password or a fragment.');
  return url.href;
};

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
};

const invalid = (field: string, sentence: string): Fault =>
  new Fault('invalid_argument', sentence, { meta: { field } });
