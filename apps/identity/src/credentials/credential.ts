/** Makes and recognises the three kinds of credential; only hashes leave this file towards a store, never a token. */
import { createHash, createHmac, randomBytes } from 'node:crypto';

export type CredentialKind = 'session' | 'api_token' | 'agent_token';

const PREFIX: Readonly<Record<CredentialKind, string>> = {
  session: 'bs_',
  api_token: 'bwt_',
  agent_token: 'bwt_bravo_',
};

const FORM: Readonly<Record<CredentialKind, RegExp>> = {
  session: /^bs_[0-9a-f]{48}$/,
  api_token: /^bwt_[0-9a-f]{48}$/,
  agent_token: /^bwt_bravo_[0-9a-f]{48}$/,
};

export const newCredential = (kind: CredentialKind): string => `${PREFIX[kind]}${randomBytes(24).toString('hex')}`;

/** 192 random bits need no slow hash: SHA-256, hex. */
export const hashCredential = (credential: string): string => createHash('sha256').update(credential).digest('hex');

/** By form alone; undefined for anything that cannot be a credential of ours. */
export const credentialKind = (credential: string): CredentialKind | undefined =>
  (Object.keys(FORM) as CredentialKind[]).find((kind) => FORM[kind].test(credential));

/**
 * Derived from the session token instead of stored: whoever reads the database learns no value a page would send,
 * and whoever reads a page's CSRF token learns nothing about the session.
 */
export const csrfTokenOf = (sessionToken: string): string =>
  createHmac('sha256', sessionToken).update('bravo csrf').digest('hex');
