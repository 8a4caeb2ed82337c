/** A canary secret is logged in every way we could think of and stands in no line. */
import { describe, expect, it } from '@jest/globals';
import { Fault } from '@bravo/faults';
import { createLogger } from './logger.ts';
import { HIDDEN, redactText } from './redact.ts';
import { runInTrace } from './trace-context.ts';

const CANARY = 'canary7f3a9Zq';

const logged = (log: (logger: ReturnType<typeof createLogger>) => void): string => {
  let text = '';
  log(createLogger('test', 'trace', { write: (line: string) => void (text += line) }));
  return text;
};

const NAMES = [
  ...[
    'authorization',
    'Authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'token',
    'agent_token',
    'agentToken',
    'x-csrf-token',
    'sessionToken',
  ],
  ...[
    'password',
    'PASSWORD',
    'natsPassword',
    'passwd',
    'passphrase',
    'secret',
    'client_secret',
    'podSecret',
    'credential',
    'credentials',
    'api_key',
    'apiKey',
    'x-api-key',
  ],
  ...[
    'modelApiKey',
    'OPENAI_API_KEY',
    'privateKey',
    'sealing_key',
    'databaseUrl',
    'DATABASE_URL',
    'BRAVO_DATABASE_URL',
    'bravo_session',
    'jwk',
    'connection_string',
  ],
];

const nest = (depth: number, inside: object): object => (depth === 0 ? inside : { level: nest(depth - 1, inside) });

describe('what is logged holds no secret', () => {
  it.each(NAMES)('under the name %s, at any depth, whatever its type [telemetry.redacted]', (name) => {
    for (const depth of [0, 1, 2, 5, 20]) {
      for (const value of [CANARY, [CANARY], { deep: CANARY }, Buffer.from(CANARY)]) {
        expect(logged((logger) => logger.info(nest(depth, { [name]: value }), 'said'))).not.toContain(CANARY);
      }
    }
    expect(
      logged((logger) => logger.info({ headers: [{ [name]: CANARY }], map: new Map([[name, CANARY]]) }, 'said')),
    ).not.toContain(CANARY);
    expect(logged((logger) => logger.child({ [name]: CANARY }).info('said'))).not.toContain(CANARY);
    const error = Object.assign(new Error('failed'), { config: { [name]: CANARY } });
    expect(logged((logger) => logger.error({ err: error }, 'said'))).not.toContain(CANARY);
  });

  const SHAPES: readonly (readonly [string, string])[] = [
    ['a database URL', `connect ECONNREFUSED postgresql://bravo:${CANARY}@127.0.0.1:5432/bravo`],
    ['a URL whose password holds an @', `nats://broker:p@ss${CANARY}@host:4222`],
    ['a token as user', `https://${CANARY}@example.org/x`],
    ['a bearer header', `Authorization: Bearer ${CANARY}`],
    ['an agent token', `the token bwt_bravo_${CANARY} is void`],
    ["a person's token", `bwt_${CANARY}`],
    ['a session cookie', `cookie: a=b; bravo_session=${CANARY}; c=d`],
    ['a signed principal', `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0x.${CANARY}`],
    ['a provider key', `the key sk-${CANARY} was refused`],
    ['a private key', `-----BEGIN EC PRIVATE KEY-----\n${CANARY}\n-----END EC PRIVATE KEY-----`],
    ['a private key cut off', `-----BEGIN PRIVATE KEY-----\n${CANARY}`],
    ['a password in a sentence', `login failed, password=${CANARY}`],
    ['a JSON text', `{"api_key":"${CANARY}","x":1}`],
    ['a JSON text in a JSON text', JSON.stringify(JSON.stringify({ token: CANARY }))],
  ];
  it.each(SHAPES)('as %s in the sentence, a field, an error or its cause [telemetry.redacted]', (_what, text) => {
    const wrapped = new Fault('unavailable', 'The database cannot be reached.', {
      cause: new Error(text, { cause: new AggregateError([new Error(text)], text) }),
    });
    for (const log of [
      (logger: ReturnType<typeof createLogger>) => logger.warn(text),
      (logger: ReturnType<typeof createLogger>) => logger.warn('it was %s', text),
      (logger: ReturnType<typeof createLogger>) => logger.warn({ detail: text }, 'said'),
      (logger: ReturnType<typeof createLogger>) => logger.warn({ [text]: 1 }, 'said'),
      (logger: ReturnType<typeof createLogger>) => logger.error(new Error(text)),
      (logger: ReturnType<typeof createLogger>) => logger.error({ err: new Error(text) }),
      (logger: ReturnType<typeof createLogger>) => logger.error({ err: wrapped }, 'said'),
      (logger: ReturnType<typeof createLogger>) => logger.error({ err: wrapped, cause: wrapped.cause }, text),
    ]) {
      const line = logged(log);
      expect(line).not.toContain(CANARY);
      expect(JSON.parse(line)).toMatchObject({ app: 'test' });
      expect(line).toContain('redacted');
    }
  });

  it('and still says what happened', () => {
    const error = new Fault('unavailable', 'The service identity cannot be reached.', {
      cause: new Error('connect ECONNREFUSED 127.0.0.1:1'),
    });
    const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const line = logged((logger) =>
      runInTrace(trace, () =>
        logger.error({ err: error, input_tokens: 12, token_id: 'tok_1', tokens: 3 }, 'call failed'),
      ),
    );
    expect(JSON.parse(line)).toMatchObject({
      ...{
        level: 50,
        msg: 'call failed',
        trace_id: trace.traceId,
        span_id: trace.spanId,
        input_tokens: 12,
        token_id: 'tok_1',
        tokens: 3,
      },
      err: {
        type: 'Fault',
        message: error.message,
        stack: expect.stringContaining('logger.spec'),
        cause: { message: 'connect ECONNREFUSED 127.0.0.1:1' },
      },
    });
    expect(redactText('GET http://127.0.0.1:80/x?y=1 took 3 ms')).toBe('GET http://127.0.0.1:80/x?y=1 took 3 ms');
    expect(redactText(redactText('password=x1y2z3'))).toBe(`password=${HIDDEN}`);
  });

  it('survives what cannot be read: cycles, getters that throw, a huge array', () => {
    const cycle: Record<string, unknown> = { big: Array.from({ length: 5_000 }, () => 'x') };
    cycle['self'] = cycle;
    expect(logged((logger) => logger.info(cycle, 'said')).length).toBeLessThan(5_000);
    const hostile = {
      get trap(): never {
        throw new Error(CANARY);
      },
    };
    expect(logged((logger) => logger.info({ hostile }, 'said'))).not.toContain(CANARY);
  });
});
