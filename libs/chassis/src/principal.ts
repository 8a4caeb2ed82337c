/**
 * The signed internal principal of every gRPC call: who is asked for, by which service, to which service.
 * A service can only sign as itself: its key is its own and the callee looks the public key up by issuer.
 */
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
import { LRUCache } from 'lru-cache';

export type ServiceName =
  | 'gateway'
  | 'identity'
  | 'orchestrator'
  | 'broker'
  | 'sandbox'
  | 'models'
  | 'audit'
  | 'automation'
  | 'egress'
  | 'operator';

export interface AgentActor {
  readonly conversationId: string;
  /** Empty for an attached agent, which has no pod. */
  readonly podId: string;
}

/** Whom a call is made for. `userId` is `service:<name>` for a service's own work. */
export interface Subject {
  readonly userId: string;
  readonly workspaceId?: string;
  readonly role?: string;
  readonly permissions?: readonly string[];
  /** Present when the agent of a conversation acts for the user. */
  readonly agent?: AgentActor;
}

export interface Principal {
  readonly issuer: ServiceName;
  readonly audience: ServiceName;
  readonly userId: string;
  /** Empty when the call concerns no workspace. */
  readonly workspaceId: string;
  readonly role: string;
  readonly permissions: readonly string[];
  readonly agent: AgentActor | undefined;
}

const LIFE_SECONDS = 60;
/** A signed principal is sent again for this long: what it says is its key, so a changed role or permission is signed anew at once. */
const REUSE_MS = 20_000;
/** Principals kept at each end, signed or verified. */
const KEPT = 2_000;
const ALGORITHM = 'ES256';

export const serviceSubject = (service: ServiceName): Subject => ({ userId: `service:${service}` });

/** What a principal asks on behalf of its own user at the next service. */
export const onBehalfOf = (principal: Principal): Subject => ({
  userId: principal.userId,
  workspaceId: principal.workspaceId,
  role: principal.role,
  permissions: principal.permissions,
  ...(principal.agent ? { agent: principal.agent } : {}),
});

export interface PrincipalSigner {
  readonly service: ServiceName;
  sign(subject: Subject, audience: ServiceName): Promise<string>;
}

/** @throws Error with the file's name when the key cannot be read. */
export const createPrincipalSigner = async (service: ServiceName, keyFile: string): Promise<PrincipalSigner> => {
  const key = (await importJWK(readJson<JWK>(keyFile), ALGORITHM)) as CryptoKey;
  const sign = (subject: Subject, audience: ServiceName): Promise<string> =>
    new SignJWT({
      ws: subject.workspaceId ?? '',
      role: subject.role ?? '',
      perms: [...(subject.permissions ?? [])],
      ...(subject.agent
        ? { act: { sub: 'bravo', conversation: subject.agent.conversationId, pod: subject.agent.podId } }
        : {}),
    })
      .setProtectedHeader({ alg: ALGORITHM, kid: service })
      .setIssuer(service)
      .setAudience(audience)
      .setSubject(subject.userId)
      .setIssuedAt()
      .setExpirationTime(`${LIFE_SECONDS}s`)
      .sign(key);
  const signed = new LRUCache<string, Promise<string>>({ max: KEPT, ttl: REUSE_MS });
  return {
    service,
    sign: (subject, audience) => {
      const { userId, workspaceId, role, permissions, agent } = subject;
      const said = JSON.stringify([
        audience,
        userId,
        workspaceId,
        role,
        permissions,
        agent?.conversationId,
        agent?.podId,
      ]);
      const known = signed.get(said);
      if (known !== undefined) return known;
      const fresh = sign(subject, audience);
      signed.set(said, fresh);
      fresh.catch(() => signed.delete(said));
      return fresh;
    },
  };
};

export interface PrincipalVerifier {
  /** @throws Fault unauthenticated with what was wrong. */
  verify(token: string): Promise<Principal>;
}

export const createPrincipalVerifier = (audience: ServiceName, keysFile: string): PrincipalVerifier => {
  const keys = createLocalJWKSet(readJson<JSONWebKeySet>(keysFile));
  /** Only what was verified, and until it expires by either clock: a repeated token costs one look. */
  const verified = new LRUCache<string, { readonly principal: Principal; readonly until: number }>({ max: KEPT });
  return {
    verify: async (token) => {
      const known = verified.get(token);
      if (known !== undefined && Date.now() < known.until) return known.principal;
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        audience,
        algorithms: [ALGORITHM],
        requiredClaims: ['iss', 'sub', 'exp', 'iat'],
        maxTokenAge: `${LIFE_SECONDS}s`,
        clockTolerance: 5,
      }).catch((cause: unknown) => {
        throw new Fault('unauthenticated', `The internal principal is not valid: ${reasonOf(cause)}.`, { cause });
      });
      // The key was chosen by kid; an issuer other than the key's owner is a stolen key that speaks as another.
      if (payload.iss !== protectedHeader.kid) {
        throw new Fault('unauthenticated', "The internal principal is signed by a key that is not its issuer's.");
      }
      const principal = toPrincipal(payload, audience);
      const until = Math.min(payload.exp ?? 0, (payload.iat ?? 0) + LIFE_SECONDS) * 1_000;
      const ttl = until - Date.now();
      if (ttl > 0) verified.set(token, { principal, until }, { ttl });
      return principal;
    },
  };
};

const toPrincipal = (payload: Record<string, unknown>, audience: ServiceName): Principal => {
  const { iss, sub, ws, role, perms, act } = payload;
  if (typeof sub !== 'string' || sub === '') throw new Fault('unauthenticated', 'The internal principal names nobody.');
  // One answer for every call with this token: nobody may change it for the next one.
  return Object.freeze({
    issuer: iss as ServiceName,
    audience,
    userId: sub,
    workspaceId: typeof ws === 'string' ? ws : '',
    role: typeof role === 'string' ? role : '',
    permissions: Object.freeze(Array.isArray(perms) ? perms.filter((p): p is string => typeof p === 'string') : []),
    agent: isActor(act) ? Object.freeze({ conversationId: act.conversation, podId: act.pod }) : undefined,
  });
};

const isActor = (act: unknown): act is { conversation: string; pod: string } =>
  typeof act === 'object' &&
  act !== null &&
  'conversation' in act &&
  typeof act.conversation === 'string' &&
  'pod' in act &&
  typeof act.pod === 'string';

const reasonOf = (cause: unknown): string => {
  if (cause instanceof errors.JWTExpired) return 'it has expired';
  if (cause instanceof errors.JWTClaimValidationFailed) return `its claim ${cause.claim} is wrong`;
  if (cause instanceof errors.JWKSNoMatchingKey) return 'its key is not known';
  if (cause instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  return 'it cannot be read';
};

const readJson = <T>(file: string): T => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (cause) {
    throw new Error(
      `The key file ${file} cannot be read as JSON. Run "./bravo up" to make new keys, or mount the right file.`,
      { cause },
    );
  }
};
