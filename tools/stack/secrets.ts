/** Passwords and keys of one home: made once from the system's randomness, kept in private files, never printed. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { NATS_PERMISSIONS } from '@bravo/events/nats/permissions';
import { schemas, type Schema } from './database.ts';
import { readJson, writePrivate, type Home } from './home.ts';

export const natsUsers = Object.keys(NATS_PERMISSIONS) as (keyof typeof NATS_PERMISSIONS)[];
export type NatsUserName = (typeof natsUsers)[number];

export interface Secrets {
  readonly postgres_admin: string;
  readonly database_roles: Readonly<Record<Schema, string>>;
  /** Of the roles that own the schemas: for migrations alone, never for a service. */
  readonly database_owners: Readonly<Record<Schema, string>>;
  readonly nats_users: Readonly<Record<NatsUserName, string>>;
}

const password = (): string => randomBytes(24).toString('hex');

const passwordsFor = <K extends string>(names: readonly K[], known: Partial<Record<K, string>> = {}): Record<K, string> =>
  Object.fromEntries(names.map((name) => [name, known[name] ?? password()])) as Record<K, string>;

/** Keeps every password there is and makes the missing ones. */
export const ensureSecrets = (home: Home): Secrets => {
  const known = readJson<Partial<Secrets>>(
    home.secretsFile,
    'it holds the passwords of the embedded database; restore it, or delete the whole directory to begin anew.',
  );
  const secrets: Secrets = {
    postgres_admin: known?.postgres_admin ?? password(),
    database_roles: passwordsFor(schemas, known?.database_roles),
    database_owners: passwordsFor(schemas, known?.database_owners),
    nats_users: passwordsFor(natsUsers, known?.nats_users),
  };
  if (JSON.stringify(secrets) !== JSON.stringify(known)) {
    writePrivate(home.secretsFile, `${JSON.stringify(secrets, null, 2)}\n`);
  }
  return secrets;
};

/** Issuers of internal principals; `operator` is the command line's own. */
export const serviceNames = [
  'gateway',
  'identity',
  'orchestrator',
  'broker',
  'sandbox',
  'models',
  'audit',
  'egress',
  'automation',
  'operator',
] as const;
export type ServiceName = (typeof serviceNames)[number];

export const serviceKeyFile = (home: Home, service: ServiceName): string => path.join(home.keys, `${service}.jwk.json`);
export const serviceKeysFile = (home: Home): string => path.join(home.keys, 'services.jwks.json');
export const sealingKeyFile = (home: Home): string => path.join(home.keys, 'sealing.key');
/** Wraps the keys of quarantined content, one per conversation. */
export const slotKeyFile = (home: Home): string => path.join(home.keys, 'slots.key');
/** Wraps the keys that open sealed content: without it the database alone opens nothing. */
export const contentKeyFile = (home: Home): string => path.join(home.keys, 'audit-content.key');
export const auditSigningKeyFile = (home: Home): string => path.join(home.keys, 'audit-signing.pem');

const publicJwk = (file: string, kid: string): Record<string, unknown> => {
  let jwk: Record<string, unknown>;
  try {
    const key = createPrivateKey({ key: JSON.parse(readFileSync(file, 'utf8')) as import('node:crypto').JsonWebKey, format: 'jwk' });
    jwk = createPublicKey(key).export({ format: 'jwk' }) as Record<string, unknown>;
  } catch {
    throw new Error(`${file} is not a readable private key: delete it, and "./bravo up" makes a new one.`);
  }
  return { ...jwk, kid, alg: 'ES256', use: 'sig' };
};

/** One ES256 key per service and the set of their public halves, the sealing key, and the key that signs the audit log. */
export const ensureKeys = (home: Home): void => {
  for (const service of serviceNames) {
    const file = serviceKeyFile(home, service);
    if (existsSync(file)) continue;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: service, alg: 'ES256' };
    writePrivate(file, `${JSON.stringify(jwk)}\n`);
  }
  const keys = serviceNames.map((service) => publicJwk(serviceKeyFile(home, service), service));
  writePrivate(serviceKeysFile(home), `${JSON.stringify({ keys }, null, 2)}\n`);
  if (!existsSync(sealingKeyFile(home))) writePrivate(sealingKeyFile(home), `${randomBytes(32).toString('base64')}\n`);
  if (!existsSync(slotKeyFile(home))) writePrivate(slotKeyFile(home), `${randomBytes(32).toString('base64')}\n`);
  if (!existsSync(contentKeyFile(home))) writePrivate(contentKeyFile(home), `${randomBytes(32).toString('base64')}\n`);
  if (!existsSync(auditSigningKeyFile(home))) {
    const { privateKey } = generateKeyPairSync('ed25519');
    writePrivate(auditSigningKeyFile(home), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  }
};
