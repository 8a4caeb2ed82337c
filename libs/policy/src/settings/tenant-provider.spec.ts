import { chooseModel, refuseTenantProvider } from '../index.ts';

const refuse = (baseURL: unknown, hosts?: readonly string[]): string | undefined =>
  refuseTenantProvider({ options: { baseURL: baseURL as string } }, hosts);

describe("a tenant's provider block", () => {
  it.each([
    'https://api.example.com/v1',
    'https://api.example.com',
    'https://api.example.com:8443/v1?x=1',
    'https://API.Example.com/',
    'https://example.com/v1',
    'https://local.example.com/v1',
    `https://api.example.com/${'a'.repeat(2024)}`,
  ])('may name %s', (url) => {
    expect(refuse(url)).toBeUndefined();
  });

  it.each([
    'http://api.example.com/v1',
    'https://10.0.0.1/v1',
    'https://8.8.8.8/v1',
    'https://[::1]/v1',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://%31%32%37.0.0.1/',
    'https://localhost/v1',
    'https://db.internal/',
    'https://printer.local./',
    'https://metadata/',
    'https://app.localhost/',
    'https://nas.lan/',
    'https://nas.home/',
    'https://wiki.intranet/',
    'https://1.0.0.10.in-addr.arpa/',
    `https://api.example.com/${'a'.repeat(2025)}`,
    'https://user@api.example.com/',
    'https://api.example.com@10.0.0.1/',
    'https:\\\\api.example.com/',
    'https:/api.example.com/',
    'https://api.example.com\\@10.0.0.1/',
    'https://api.example .com/',
    ' https://api.example.com/',
    'https://',
    'file:///etc/passwd',
    '',
    5,
    null,
  ])('may not name %j', (url) => {
    expect(refuse(url)).toMatch(/^options\.baseURL /);
  });

  it('may name a host the operator listed', () => {
    expect(refuse('https://10.0.0.1/v1', ['10.0.0.1'])).toBeUndefined();
    expect(refuse('http://10.0.0.1/v1', ['10.0.0.1'])).toBeDefined();
    expect(refuse('https://[FD00::1]:8443/v1', ['[fd00::1]'])).toBeUndefined();
    expect(refuse('https://[fd00::g]/v1', ['[fd00::g]'])).toBeDefined();
    expect(refuse('https://Models.Internal/v1', ['models.internal'])).toBeUndefined();
  });

  it('names no profile, and needs no options', () => {
    expect(refuseTenantProvider({ options: { region: 'r', profile: 'p' } })).toContain('options.profile');
    expect(refuseTenantProvider({ options: { region: 'r' } })).toBeUndefined();
    expect(refuseTenantProvider({ env: ['ANTHROPIC_API_KEY'] })).toBeUndefined();
    for (const options of [null, 'profile', ['profile'], undefined])
      expect(refuseTenantProvider({ options: options as never })).toBeUndefined();
  });
});

describe('the model that is asked for', () => {
  it('is never a tier word, also where nobody named a model for it', () => {
    expect(chooseModel({ setting: 'opus', builtin: 'b' })).toBe('b');
    expect(chooseModel({ setting: 'toString', tiers: {}, builtin: 'b' })).toBe('toString');
    expect(chooseModel({ flag: 'haiku', tiers: { haiku: 'automatic' }, builtin: 'b' })).toBe('automatic-brave-bot');
  });

  it('is the next choice where one is blank', () => {
    expect(chooseModel({ flag: '', recorded: ' ', exported: 'x', builtin: 'b' })).toBe('x');
  });
});
