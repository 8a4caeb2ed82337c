/** What a person's webhook is signed with: made of the key of this service, whose it is and a salt, so that it is kept nowhere. A new key of the service or a new host makes a new one. */
import { hkdfSync } from 'node:crypto';

/** `whsec_` and base64 of 32 bytes. */
export type SecretOf = (owner: { readonly workspaceId: string; readonly userId: string }, salt: string) => string;

export const createSecretOf =
  (serviceKey: string): SecretOf =>
  ({ workspaceId, userId }, salt) =>
    `whsec_${Buffer.from(hkdfSync('sha256', serviceKey, salt, `webhook ${workspaceId} ${userId}`, 32)).toString('base64')}`;
