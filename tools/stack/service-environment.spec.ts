/** Each service gets the variables it declares and no other's secrets. */
import { describe, expect, it } from '@jest/globals';
import { APP_SETTINGS, loadConfig } from '@bravo/config';
import { schemas, type Schema } from './database.ts';
import { homeAt } from './home.ts';
import { natsUsers, type NatsUserName } from './secrets.ts';
import { allServiceEnvironments, isDecided, type EnvironmentFacts } from './service-environment.ts';
import { grpcPortName, httpPortName, services, variablesOf } from './service-catalogue.ts';

const ports = Object.fromEntries(
  services.flatMap(({ app }, i) => [
    [httpPortName(app), 20_001 + 2 * i],
    [grpcPortName(app), 20_002 + 2 * i],
  ]),
);
const facts = (over: Partial<EnvironmentFacts> = {}): EnvironmentFacts => ({
  home: homeAt('/h/.bravo'),
  checkout: '/c',
  ports,
  secrets: {
    postgres_admin: 'admin-secret',
    database_roles: Object.fromEntries(schemas.map((s) => [s, `db-${s}`])) as Record<Schema, string>,
    database_owners: Object.fromEntries(schemas.map((s) => [s, `owner-of-${s}`])) as Record<Schema, string>,
    nats_users: Object.fromEntries(natsUsers.map((u) => [u, `nats-${u}`])) as Record<NatsUserName, string>,
  },
  databaseUrl: 'postgresql://bravo_admin:admin-secret@127.0.0.1:5000/bravo',
  natsUrl: 'nats://127.0.0.1:4000',
  natsUsersAreOurs: true,
  podNode: '/node',
  podProgram: '/pod.mjs',
  sandboxNode: '/node',
  sandboxImages: '/images',
  toolboxProgram: '/toolbox.mjs',
  insecurePods: false,
  production: false,
  caller: {},
  ...over,
});

describe('service environments', () => {
  const environments = allServiceEnvironments(facts());

  it.each(services.map((service) => [service.app, service] as const))('%s accepts its own', (app, service) => {
    expect(() => loadConfig(app, APP_SETTINGS[service.app], environments[app] ?? {})).not.toThrow();
  });

  it("holds no other service's password, key or database, and never the administrator's", () => {
    for (const { app, schema, natsUser } of services) {
      const text = JSON.stringify(environments[app]);
      expect(text).not.toContain('admin-secret');
      expect(text).not.toContain('owner-of-');
      for (const other of schemas)
        if (other !== schema && !(app === 'audit' && (other === 'witness' || other === 'pruner'))) expect(text).not.toContain(`db-${other}`);
      for (const other of natsUsers) if (other !== natsUser) expect(text).not.toContain(`nats-${other}`);
    }
    expect(environments['gateway']).not.toHaveProperty('BRAVO_DATABASE_URL');
    expect(environments['gateway']).not.toHaveProperty('BRAVO_SEALING_KEY_FILE');
  });

  it('passes a tunable to the service that declares it, and never lets the caller replace what up decides', () => {
    const caller = {
      BRAVO_APPROVAL_TTL_SECONDS: '5',
      BRAVO_MODEL_API_KEY: 'sk-secret',
      BRAVO_DATABASE_URL: 'postgresql://somewhere/else',
      BRAVO_HTTP_PORT: '1',
      SECRET_OF_A_PERSON: 'x',
    };
    const given = allServiceEnvironments(facts({ caller }));
    expect(given['tool-broker']).toMatchObject({ BRAVO_APPROVAL_TTL_SECONDS: '5' });
    expect(given['model-gateway']).toMatchObject({ BRAVO_MODEL_API_KEY: 'sk-secret' });
    for (const { app } of services) {
      expect(given[app]).not.toHaveProperty('SECRET_OF_A_PERSON');
      expect(given[app]?.['BRAVO_HTTP_PORT']).not.toBe('1');
      expect(JSON.stringify(given[app])).not.toContain('somewhere');
      if (app !== 'model-gateway') expect(JSON.stringify(given[app])).not.toContain('sk-secret');
    }
  });

  it('seeds nothing in production', () => {
    expect(allServiceEnvironments(facts({ production: true }))['identity']).toMatchObject({
      BRAVO_ENV: 'production',
      BRAVO_SEED_DEMO: 'false',
    });
  });

  it("leaves the users of somebody else's NATS to the caller", () => {
    const caller = { BRAVO_NATS_USER: 'theirs', BRAVO_NATS_PASSWORD: 'pw' };
    expect(allServiceEnvironments(facts({ natsUsersAreOurs: false, caller }))['audit']).toMatchObject({
      BRAVO_NATS_USER: 'theirs',
      BRAVO_NATS_PASSWORD: 'pw',
    });
  });

  it("keeps a person's own value of exactly the variables it does not decide", () => {
    const variables = [...new Set(services.flatMap(variablesOf))];
    const caller = Object.fromEntries(variables.map((variable) => [variable, 'stray']));
    const given = Object.values(allServiceEnvironments(facts({ caller })));
    for (const variable of variables) {
      const strays = given.filter((environment) => environment[variable] === 'stray').length;
      expect([variable, strays > 0]).toEqual([variable, !isDecided(variable)]);
    }
  });
});
