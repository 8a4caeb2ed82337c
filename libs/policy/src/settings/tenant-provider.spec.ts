import { chooseModel, refuseTenantProvider } from '../index.ts';

const refuse = (baseURL: unknown, hosts?: readonly string[]): string | undefined =>
  refuseTenantProvider({ options: { baseURL: baseURL as string } }, hosts);

describe("a tenant's provider block", () => {
  it.each([
    'https://api.example.com/v1',
    'https://api.example.com',
    'https://api.example.com:8443/v1?x=1',
    'https://API.Example.com/',
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
  });

  it('names no profile, and needs no options', () => {
    expect(refuseTenantProvider({ options: { region: 'r', profile: 'p' } })).toContain('options.profile');
    expect(refuseTenantProvider({ options: { region: 'r' } })).toBeUndefined();
    expect(refuseTenantProvider({ env: ['ANTHROPIC_API_KEY'] })).toBeUndefined();
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
