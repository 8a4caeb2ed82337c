/** The private directory is private, its secrets are made once, and damage is told in a sentence. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureHome, homeAt, resolveHome, type Home } from './home.ts';
import { ensureKeys, ensureSecrets, serviceKeyFile, serviceKeysFile, serviceNames } from './secrets.ts';
import { readState, writeState, type StackState } from './state-file.ts';

describe('the home of a stack', () => {
  let home: Home;
  beforeAll(() => {
    home = homeAt(path.join(mkdtempSync(path.join(tmpdir(), 'bravo home ')), '.bravo'));
    ensureHome(home);
  });
  afterAll(() => {
    for (const directory of [path.dirname(home.root), home.pods]) rmSync(directory, { recursive: true, force: true });
  });

  const modeOf = (file: string): number => statSync(file).mode & 0o777;

  it('is closed to everybody else, and closed again when somebody opened it [operator.state]', () => {
    chmodSync(home.root, 0o755);
    ensureHome(home);
    expect(modeOf(home.root)).toBe(0o700);
    expect(modeOf(home.keys)).toBe(0o700);
  });

  it('makes passwords and keys once, each private and each different', () => {
    const secrets = ensureSecrets(home);
    ensureKeys(home);
    const key = readFileSync(serviceKeyFile(home, 'broker'), 'utf8');
    expect(ensureSecrets(home)).toEqual(secrets);
    ensureKeys(home);
    expect(readFileSync(serviceKeyFile(home, 'broker'), 'utf8')).toBe(key);
    const groups = [secrets.database_roles, secrets.database_owners, secrets.nats_users];
    const all = [secrets.postgres_admin, ...groups.flatMap((group) => Object.values<string>(group))];
    expect(new Set(all).size).toBe(all.length);
    for (const file of [home.secretsFile, ...readdirSync(home.keys).map((name) => path.join(home.keys, name))]) {
      expect(modeOf(file)).toBe(0o600);
    }
  });

  it('publishes the public halves alone, one per service under its name', () => {
    const { keys } = JSON.parse(readFileSync(serviceKeysFile(home), 'utf8')) as { keys: Record<string, string>[] };
    expect(keys.map(({ kid }) => kid)).toEqual([...serviceNames]);
    for (const key of keys) expect(key).not.toHaveProperty('d');
  });

  it('reads back the state it wrote and explains one that is damaged', () => {
    const state: StackState = {
      version: 1,
      phase: 'stopped',
      ports: { gateway: 8300 },
      supervisor: null,
      processes: [],
      gateway_url: 'http://127.0.0.1:8300',
      restrictions: [],
    };
    expect(readState(home)).toBeUndefined();
    writeState(home, state);
    expect(readState(home)).toEqual(state);
    expect(modeOf(home.stateFile)).toBe(0o600);
    writeFileSync(home.stateFile, '{');
    expect(() => readState(home)).toThrow(/state\.json is not valid JSON: .*delete it/);
    writeFileSync(home.stateFile, '{"version":2}');
    expect(() => readState(home)).toThrow(/not a state file of this version/);
  });

  it('moves with BRAVO_HOME', () => {
    expect(resolveHome({ BRAVO_HOME: '/elsewhere/x' }).root).toBe('/elsewhere/x');
    expect(resolveHome({}).root).toMatch(/\.bravo$/);
  });
});
