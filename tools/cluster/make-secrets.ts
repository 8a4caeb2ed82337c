/** Makes the platform's keys and passwords once and gives each service a Secret with only its own; existing ones are never replaced. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NATS_PERMISSIONS } from '@bravo/events/nats/permissions';
import { appDatabaseUrl } from '../stack/database.ts';
import { homeAt, type Home } from '../stack/home.ts';
import { renderNatsConfig } from '../stack/nats-config.ts';
import {
  auditSigningKeyFile,
  contentKeyFile,
  ensureKeys,
  ensureSecrets,
  natsUsers,
  sealingKeyFile,
  serviceKeyFile,
  serviceKeysFile,
  slotKeyFile,
  type Secrets,
} from '../stack/secrets.ts';
import { services } from '../stack/service-catalogue.ts';
import { ownNamespace, readSecret, writeSecret } from './cluster-api.ts';

export interface SetupFacts {
  /** Begins the name of everything of this release. */
  readonly release: string;
  /** Labels that tell whose these Secrets are. */
  readonly labels: Readonly<Record<string, string>>;
  /** Administrator's URL of an external database; '' for the chart's own. */
  readonly externalDatabase: string;
  /** True when the chart runs NATS itself: then it has one user per service. */
  readonly ownNats: boolean;
}

const text = (file: string): string => readFileSync(file, 'utf8');

/** The administrator's URL, whichever database it is. */
export const adminUrl = ({ release, externalDatabase }: SetupFacts, secrets: Secrets): string =>
  externalDatabase === ''
    ? `postgresql://bravo_admin:${secrets.postgres_admin}@${release}-postgres:5432/bravo`
    : externalDatabase;

/** Files of one service's Secret: its private key, everybody's public ones, where its rows are, and what it alone wraps with. */
const filesOf = (
  home: Home,
  secrets: Secrets,
  facts: SetupFacts,
  at: (typeof services)[number],
): Record<string, string> => {
  const url = adminUrl(facts, secrets);
  const further: Partial<Record<string, Record<string, string>>> = {
    identity: { 'sealing.key': text(sealingKeyFile(home)) },
    'tool-broker': { 'slots.key': text(slotKeyFile(home)) },
    audit: {
      'audit-signing.pem': text(auditSigningKeyFile(home)),
      'audit-content.key': text(contentKeyFile(home)),
      'witness-database-url': appDatabaseUrl(url, 'witness', secrets.database_roles.witness),
      'pruner-database-url': appDatabaseUrl(url, 'pruner', secrets.database_roles.pruner),
    },
  };
  return {
    'service.jwk.json': text(serviceKeyFile(home, at.service)),
    'services.jwks.json': text(serviceKeysFile(home)),
    ...(at.schema && { 'database-url': appDatabaseUrl(url, at.schema, secrets.database_roles[at.schema]) }),
    ...(at.natsUser && facts.ownNats && { 'nats-password': secrets.nats_users[at.natsUser] }),
    ...further[at.app],
  };
};

const openHome = (known: Readonly<Record<string, string>>): { home: Home; root: string } => {
  const root = mkdtempSync(path.join(tmpdir(), 'bravo-setup-'));
  const home = homeAt(root);
  mkdirSync(home.keys, { recursive: true, mode: 0o700 });
  for (const [name, value] of Object.entries(known))
    writeFileSync(name === 'secrets.json' ? home.secretsFile : path.join(home.keys, name), value, { mode: 0o600 });
  return { home, root };
};

const kept = (home: Home): Record<string, string> => ({
  'secrets.json': text(home.secretsFile),
  ...Object.fromEntries(readdirSync(home.keys).map((name) => [name, text(path.join(home.keys, name))])),
});

export const rootSecretName = (release: string): string => `${release}-root-keys`;

export const makeSecrets = async (facts: SetupFacts, say: (sentence: string) => void): Promise<void> => {
  const namespace = ownNamespace();
  const rootName = rootSecretName(facts.release);
  const known = await readSecret(namespace, rootName);
  const { home, root } = openHome(known ?? {});
  try {
    const secrets = ensureSecrets(home);
    ensureKeys(home);
    const { labels } = facts;
    // First of all: everything else can be made from it again, and nothing makes it again.
    await writeSecret(namespace, { name: rootName, labels, files: kept(home) });
    say(known === undefined ? 'made new keys and passwords' : 'kept the keys and passwords there were');
    for (const service of services) {
      const name = `${facts.release}-${service.app}`;
      await writeSecret(namespace, { name, labels, files: filesOf(home, secrets, facts, service) });
    }
    if (facts.externalDatabase === '')
      await writeSecret(namespace, {
        name: `${facts.release}-postgres`,
        labels,
        files: { password: `${secrets.postgres_admin}\n` },
      });
    if (facts.ownNats) {
      const users = natsUsers.map((name) => ({ name, password: secrets.nats_users[name], ...NATS_PERMISSIONS[name] }));
      const config = renderNatsConfig({
        host: '0.0.0.0',
        port: 4222,
        storeDirectory: '/var/lib/bravo/nats',
        users,
        durable: true,
      });
      await writeSecret(namespace, { name: `${facts.release}-nats`, labels, files: { 'nats.conf': config } });
    }
    say(`each service has a Secret of its own in ${namespace}`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};
