/** The routes of a file that @bravo asked to read and was not shown: look at it whole, and vouch for it. */
import { z } from 'zod';
import { previewView } from '../approvals/approval-view.ts';
import { defineRoute } from '../routes/route.ts';

const area = 'Content';
const slot = '/api/v1/:ws/bravo/conversations/:cid/slots/:n';

export const trustOfferView = z.object({
  path: z.string(),
  revision: z.string().describe('Of the bytes that are drawn; a yes names it'),
  preview: previewView,
  trusted: z.boolean().describe('Whether it is vouched for already'),
});
export type TrustOfferView = z.output<typeof trustOfferView>;

export const GET_TRUST_OFFER = defineRoute({
  method: 'GET',
  path: `${slot}/trust-offer`,
  summary: 'The whole file behind a reference as it is now, with what a check says of it, for the person to vouch for',
  area,
  access: 'bravo',
  status: 200,
  answer: trustOfferView,
});

export const VOUCH = defineRoute({
  method: 'POST',
  path: `${slot}/vouch`,
  summary: 'Lets @bravo read this one file from now on, as long as nothing untrusted is written to it',
  area,
  access: 'bravo',
  needs: 'approvals:decide',
  body: z.strictObject({ revision: z.string().min(1).max(200) }),
  status: 204,
});
