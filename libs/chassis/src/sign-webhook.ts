/** Signs what is sent to a webhook as Standard Webhooks has it: HMAC-SHA256 over id, time and body, so that a receiver knows who sent it, that it is whole, and how old it is. */
import { createHmac } from 'node:crypto';

/** `secret`: `whsec_` and base64. @returns the three headers. */
export const signWebhook = (secret: string, id: string, at: Date, body: string): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length < 24) throw new Error('a webhook is signed with a secret of at least 24 bytes');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};
