/** Who an MCP request speaks for. Only an agent token opens the endpoint; who cannot be resolved is refused, with the reason. */
import { isFault } from '@bravo/faults';
import type { Agent } from '../access/agent.ts';

export type BearerOutcome =
  | { readonly kind: 'agent'; readonly agent: Agent; readonly token: string }
  | { readonly kind: 'refused'; readonly status: 401 | 503; readonly error: string; readonly description: string };

/** Printable ASCII without what would need escaping in a quoted header value. */
const DESCRIPTION = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

export const readBearer = async (
  header: string | undefined,
  resolveAgent: (token: string) => Promise<Agent>,
): Promise<BearerOutcome> => {
  const token = /^Bearer ([A-Za-z0-9_.~+/=-]{1,512})$/i.exec(header ?? '')?.[1];
  if (token === undefined)
    return {
      kind: 'refused',
      status: 401,
      error: 'invalid_request',
      description: 'An agent token is needed: Authorization: Bearer bwt_bravo_...',
    };
  try {
    return { kind: 'agent', agent: await resolveAgent(token), token };
  } catch (error) {
    // Only a clear no is a 401; everything else is our trouble, and still no way in.
    const isNo = isFault(error) && ['unauthenticated', 'not_found', 'permission_denied'].includes(error.code);
    return isNo
      ? {
          kind: 'refused',
          status: 401,
          error: 'invalid_token',
          description: 'The agent token is unknown, expired or revoked.',
        }
      : {
          kind: 'refused',
          status: 503,
          error: 'temporarily_unavailable',
          description:
            'Who the token speaks for could not be checked just now, so the request is refused. Try again in a moment.',
        };
  }
};

/** RFC 6750 with the RFC 9728 pointer to the resource's metadata. */
export const challengeOf = (outcome: Extract<BearerOutcome, { kind: 'refused' }>, metadataUrl: string): string =>
  `Bearer error="${outcome.error}", error_description="${outcome.description.replace(DESCRIPTION, ' ')}", resource_metadata="${metadataUrl}"`;
