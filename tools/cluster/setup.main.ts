/** What the chart runs around the services: keys, migrations, the wait of a service for both, and the two checks of `helm test`. */
import path from 'node:path';
import { checkIsolation } from './check-isolation.ts';
import { converse } from './converse.ts';
import { adminUrl, makeSecrets, type SetupFacts } from './make-secrets.ts';
import { migrationNames } from './apply-migrations.ts';
import { migrateDatabase, readSecretsFile, waitForPeers } from './migrate-database.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const ROOT_KEYS = '/etc/bravo/root-keys';
const WAIT_SECONDS = 180;

const say = (sentence: string): void => void process.stdout.write(`setup: ${sentence}\n`);
const given = (name: string, fallback = ''): string => process.env[name] ?? fallback;

const facts = (): SetupFacts => ({
  release: given('BRAVO_SETUP_RELEASE', 'bravo'),
  labels: JSON.parse(given('BRAVO_SETUP_LABELS', '{}')) as Record<string, string>,
  externalDatabase: given('BRAVO_SETUP_DATABASE_URL'),
  ownNats: given('BRAVO_SETUP_OWN_NATS') === 'true',
});

const verbs: Readonly<Record<string, () => Promise<void>>> = {
  secrets: () => makeSecrets(facts(), say),
  migrate: () => {
    const secrets = readSecretsFile(ROOT_KEYS);
    return migrateDatabase(root, adminUrl(facts(), secrets), facts().externalDatabase === '', secrets, say);
  },
  converse: async () => {
    const url = given('BRAVO_TEST_URL');
    const facts = { url, origin: given('BRAVO_TEST_ORIGIN', url), workspace: given('BRAVO_TEST_WORKSPACE', 'acme') };
    await converse({ ...facts, token: given('BRAVO_TEST_TOKEN') }, say);
  },
  isolation: () => checkIsolation(say),
  wait: () => {
    const app = given('BRAVO_SETUP_APP');
    const newest = migrationNames(path.join(root, 'apps', app, 'prisma', 'migrations')).at(-1) ?? '';
    const peers = { databaseUrl: given('BRAVO_DATABASE_URL'), natsUrl: given('BRAVO_NATS_URL'), newest };
    return waitForPeers({ ...peers, seconds: WAIT_SECONDS }, say);
  },
};

const [verb = ''] = process.argv.slice(2);
const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
try {
  if (run === undefined) throw new Error(`there is no "${verb}"; say ${Object.keys(verbs).join(', ')}.`);
  await run();
} catch (error) {
  process.stderr.write(`setup: ${(error as Error).message}\n`);
  process.exit(1);
}
