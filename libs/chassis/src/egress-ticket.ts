/**
 * Leave to open one connection out of the cluster: signed by the service that decided it, for one host and port, for a minute.
 * Egress opens nothing without one; a ticket names its decision, so every connection of the trail leads back to what allowed it.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Fault } from '@bravo/faults';
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { ServiceName } from './principal.ts';

/** What a connection is for; egress has caps for each, and a table of who may open which. */
export const EGRESS_PURPOSES = ['fetch', 'model', 'delivery'] as const;
export type EgressPurpose = (typeof EGRESS_PURPOSES)[number];

export interface EgressTicket {
  /** Signer. */
  readonly service: ServiceName;
  readonly purpose: EgressPurpose;
  /** As a URL parser reads it: small letters, punycode, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** `operator`: whoever runs the platform configured this destination, so it may be private. Honoured from few services. */
  readonly reach: 'public' | 'operator';
  /** Id of what decided it: a tool call, a provider, a delivery. */
  readonly decisionId: string;
  /** Workspace whose log the connection is told in. */
  readonly workspaceId: string;
  /** Empty where no conversation is concerned. */
  readonly conversationId: string;
  /** On whose behalf; empty for a service's own work. */
  readonly userId: string;
  /** Of this ticket alone. */
  readonly id: string;
}

export type EgressRequest = Omit<EgressTicket, 'service' | 'id'>;

export const TICKET_SECONDS = 60;
const AUDIENCE = 'egress';
const ALGORITHM = 'ES256';
const REACHES = ['public', 'operator'] as const;

export type SignTicket = (request: EgressRequest) => Promise<string>;

/** @throws Error with the file's name when the key cannot be read. */
export const createTicketSigner = async (service: ServiceName, keyFile: string): Promise<SignTicket> => {
  const key = (await importJWK(JSON.parse(readFileSync(keyFile, 'utf8')) as JWK, ALGORITHM)) as CryptoKey;
  return ({ purpose, host, port, reach, decisionId, workspaceId, conversationId, userId }) =>
    new SignJWT({
      ...{ purpose, host, port, reach },
      ...{ dec: decisionId, ws: workspaceId, cnv: conversationId },
    })
      .setProtectedHeader({ alg: ALGORITHM, kid: service, typ: 'egress-ticket+jwt' })
      .setIssuer(service)
      .setAudience(AUDIENCE)
      .setSubject(userId === '' ? `service:${service}` : userId)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${TICKET_SECONDS}s`)
      .sign(key);
};

export type VerifyTicket = (token: string) => Promise<EgressTicket>;

/** Every ticket is looked at anew and none is kept: it is good for one connection. @throws Fault unauthenticated saying what was wrong. */
export const createTicketVerifier = (keysFile: string): VerifyTicket => {
  const keys = createLocalJWKSet(JSON.parse(readFileSync(keysFile, 'utf8')) as JSONWebKeySet);
  return async (token) => {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      audience: AUDIENCE,
      algorithms: [ALGORITHM],
      // An internal principal is signed by the same key and opens nothing.
      typ: 'egress-ticket+jwt',
      requiredClaims: ['iss', 'sub', 'exp', 'iat', 'jti'],
      maxTokenAge: `${TICKET_SECONDS}s`,
      clockTolerance: 2,
    }).catch((cause: unknown) => {
      throw new Fault('unauthenticated', `The ticket is not valid: ${reasonOf(cause)}.`, { cause });
    });
    if (payload.iss !== protectedHeader.kid)
      throw new Fault('unauthenticated', "The ticket is signed by a key that is not its issuer's.");
    return readClaims(payload);
  };
};

const readClaims = (claims: Readonly<Record<string, unknown>>): EgressTicket => {
  const { iss, sub, jti, purpose, host, port, reach, dec, ws, cnv } = claims;
  const text = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const known = <T extends string>(list: readonly T[], value: unknown): value is T =>
    (list as readonly unknown[]).includes(value);
  if (
    !known(EGRESS_PURPOSES, purpose) ||
    !known(REACHES, reach) ||
    !text(host) ||
    !(Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65_535) ||
    ![dec, ws, jti, sub].every(text) ||
    typeof cnv !== 'string'
  )
    throw new Fault('unauthenticated', 'The ticket is not valid: it does not say what it opens.');
  return {
    ...{ service: iss as ServiceName, purpose, host, reach },
    port: Number(port),
    decisionId: dec as string,
    workspaceId: ws as string,
    conversationId: cnv,
    userId: String(sub).startsWith('service:') ? '' : String(sub),
    id: jti as string,
  };
};

const reasonOf = (cause: unknown): string => {
  if (cause instanceof errors.JWTExpired) return 'it has expired';
  if (cause instanceof errors.JWTClaimValidationFailed) return `its claim ${cause.claim} is wrong`;
  if (cause instanceof errors.JWKSNoMatchingKey) return 'its key is not known';
  if (cause instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  return 'it cannot be read';
};
