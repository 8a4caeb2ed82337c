/** What a person wrote about a destination, read and judged. Guarantees that only encrypted ways to a named host are taken, and that a sentence says what is wrong; it must never repeat a secret. */
import { randomBytes } from 'node:crypto';
import { Fault } from '@bravo/faults';
import { z } from 'zod';
import {
  DELIVERY_FORMATS,
  DESTINATION_KINDS,
  type DestinationKind,
  type DestinationSettings,
} from './destination.port.ts';

export type SpelledDestination = {
  readonly [K in keyof DestinationSettings]: DestinationSettings[K] extends string ? string : DestinationSettings[K];
};

/** By kind; what is absent is not used. */
export interface DestinationSecret {
  /** `whsec_` and base64 of 24 to 64 bytes, as Standard Webhooks has it. */
  readonly signing_secret?: string | undefined;
  readonly access_key_id?: string | undefined;
  readonly secret_access_key?: string | undefined;
  readonly session_token?: string | undefined;
  /** Who we are to a receiver that asks, PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

const MOST_SECONDS = 86_400;
const PEM = /^(\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)*$/;
const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

const shape = {
  syslog: z.strictObject({ certificate: z.string().optional(), key: z.string().optional() }),
  webhook: z.strictObject({
    signing_secret: z.string().regex(SIGNING_SECRET),
    certificate: z.string().optional(),
    key: z.string().optional(),
  }),
  s3: z.strictObject({
    access_key_id: z.string().min(1).max(256),
    secret_access_key: z.string().min(1).max(1_024),
    session_token: z.string().max(8_192).optional(),
  }),
} as const satisfies Record<DestinationKind, z.ZodType>;

const SECRET_SENTENCES: Readonly<Record<DestinationKind, string>> = {
  syslog: 'The secret of a syslog receiver is a certificate and its key, as PEM, or nothing.',
  webhook: 'The signing secret of a webhook is whsec_ and at least 24 bytes in base64.',
  s3: 'The secret of an object store is an access_key_id and a secret_access_key.',
};

/** @throws Fault invalid_argument naming the field. */
export const readSettings = (spelled: SpelledDestination): DestinationSettings => {
  const name = spelled.name.trim();
  if (!/^[^\p{Cc}]{1,80}$/u.test(name)) throw invalid('name', 'A destination has a name of 1 to 80 characters.');
  const kind = DESTINATION_KINDS.find((one) => one === spelled.kind);
  if (kind === undefined) throw invalid('kind', `A destination is one of ${DESTINATION_KINDS.join(', ')}.`);
  const format = DELIVERY_FORMATS.find((one) => one === spelled.format);
  if (format === undefined) throw invalid('format', `A delivery is in one of ${DELIVERY_FORMATS.join(', ')}.`);
  const { everySeconds, region, certificates, paused } = spelled;
  if (!Number.isInteger(everySeconds) || everySeconds < 1 || everySeconds > MOST_SECONDS)
    throw invalid('every_seconds', `Deliveries are 1 to ${MOST_SECONDS} seconds apart.`);
  if (kind === 's3' ? !/^[a-z0-9-]{1,40}$/.test(region) : region !== '')
    throw invalid('region', 'An object store has a region such as eu-central-1; nothing else has one.');
  if (certificates.length > 65_536 || !PEM.test(certificates))
    throw invalid('certificates', 'Certificates of authorities are PEM (-----BEGIN CERTIFICATE-----).');
  return { name, kind, url: readUrl(kind, spelled.url), format, everySeconds, region, certificates, paused };
};

const readUrl = (kind: DestinationKind, text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (sentence: string): Fault => invalid('url', sentence);
  if (!url || text.length > 2_000 || url.username !== '' || url.password !== '' || url.hash !== '')
    throw refuse('The address is a URL without a user, a password or a fragment.');
  if (kind === 'syslog') {
    if (url.protocol !== 'tls:' || url.hostname === '' || !['', '/'].includes(url.pathname) || url.search !== '')
      throw refuse('A syslog receiver is spoken to over TLS: tls://host:6514.');
    return `tls://${url.hostname}:${url.port === '' ? '6514' : url.port}`;
  }
  if (url.protocol !== 'https:')
    throw refuse('What leaves the platform is encrypted: the address begins with https://.');
  if (kind === 's3' && (url.pathname.length < 2 || url.search !== ''))
    throw refuse(
      'The address of an object store names the bucket: https://server/bucket or https://server/bucket/prefix.',
    );
  return url.href;
};

/** "" keeps `before`, and makes a webhook a signing secret where it has none. @throws Fault invalid_argument, without a word of the secret. */
export const readSecret = (
  kind: DestinationKind,
  text: string,
  before: DestinationSecret | undefined,
): { readonly secret: DestinationSecret; readonly made: string } => {
  if (text === '' && before) return { secret: before, made: '' };
  let given: unknown = {};
  try {
    if (text !== '') given = JSON.parse(text);
  } catch {
    throw invalid('secret', SECRET_SENTENCES[kind]);
  }
  const wanting = kind === 'webhook' && given !== null && typeof given === 'object' && !('signing_secret' in given);
  const made = wanting ? (before?.signing_secret ?? `whsec_${randomBytes(32).toString('base64')}`) : '';
  const read = shape[kind].safeParse(wanting ? { ...(given as object), signing_secret: made } : given);
  const secret = read.data as DestinationSecret | undefined;
  if (!secret || (secret.certificate === undefined) !== (secret.key === undefined))
    throw invalid('secret', SECRET_SENTENCES[kind]);
  return { secret, made: before?.signing_secret === made ? '' : made };
};

export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

const invalid = (field: string, sentence: string): Fault =>
  new Fault('invalid_argument', sentence, { meta: { field } });
