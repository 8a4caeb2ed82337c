import { describe, expect, it } from '@jest/globals';
import { checkExecutionRequest, REQUEST_LIMITS, type AskedExecution } from './check-execution-request.ts';
import { requestDigest } from './request-digest.ts';

const asked = (more: Partial<AskedExecution> = {}): AskedExecution => ({
  workspaceId: 'ws_a',
  executionId: 'exec_1',
  conversationId: 'cnv_1',
  language: 'python',
  code: 'print(1)',
  files: [],
  env: {},
  limits: { timeoutSeconds: 0, memoryMb: 0, cpu: 0 },
  ...more,
});
const file = (path: string, content: Uint8Array = new Uint8Array(), mode = 0) => ({ path, content, mode });
const limits = (more: Partial<AskedExecution['limits']>) => ({ timeoutSeconds: 0, memoryMb: 0, cpu: 0, ...more });

describe('a request', () => {
  it.each<[string, string, Partial<AskedExecution>]>([
    ['no id', 'execution_id', { executionId: '' }],
    ['an id that is a path', 'execution_id', { executionId: '../x' }],
    ['a conversation that is a path', 'conversation_id', { conversationId: 'a/b' }],
    ['an unknown language', 'language', { language: 'ruby' }],
    ['no language', 'language', { language: '' }],
    ['a language of the prototype', 'language', { language: 'constructor' }],
    ['no code', 'code', { code: '' }],
    ['blank code', 'code', { code: ' \n\t' }],
    ['10 MB of code', 'code', { code: 'x'.repeat(10_000_000) }],
    ['code with NUL', 'code', { code: 'a\0b' }],
    ['code that is no Unicode', 'code', { code: 'print("\ud800")' }],
    ['ten thousand files', 'files', { files: Array.from({ length: 10_000 }, (_, n) => file(`f${n}`)) }],
    ['a file with a control character', 'files', { files: [file('a\u001bb')] }],
    ['a file name that is too long', 'files', { files: [file('a'.repeat(300))] }],
    ['a file that climbs', 'files', { files: [file('a/../../b')] }],
    ['an absolute file', 'files', { files: [file('/etc/passwd')] }],
    ['a file with NUL', 'files', { files: [file('a\0b')] }],
    ['a file without a name', 'files', { files: [file('')] }],
    ['a file that is the root', 'files', { files: [file('./')] }],
    ['the same file twice', 'files', { files: [file('a'), file('./a')] }],
    ['a file that is a directory too', 'files', { files: [file('a/b'), file('a')] }],
    ['a set-uid mode', 'files', { files: [file('a', new Uint8Array(), 0o4755)] }],
    ['a file too large', 'files', { files: [file('a', new Uint8Array(REQUEST_LIMITS.fileBytes + 1))] }],
    ['too many files', 'files', { files: Array.from({ length: REQUEST_LIMITS.files + 1 }, (_, n) => file(`f${n}`)) }],
    ['a variable with =', 'env', { env: { 'A=B': '1' } }],
    ['a variable with NUL', 'env', { env: { 'A\0': '1' } }],
    ['a value with NUL', 'env', { env: { A: '1\0' } }],
    ['a variable without a name', 'env', { env: { '': '1' } }],
    ['variables too large', 'env', { env: { A: 'x'.repeat(REQUEST_LIMITS.variablesBytes) } }],
    ['a negative timeout', 'limits.timeoutSeconds', { limits: limits({ timeoutSeconds: -1 }) }],
    ['a negative memory', 'limits.memoryMb', { limits: limits({ memoryMb: -5 }) }],
    ['a cpu that is no number', 'limits.cpu', { limits: limits({ cpu: Number.NaN }) }],
    ['an endless cpu', 'limits.cpu', { limits: limits({ cpu: Number.POSITIVE_INFINITY }) }],
  ])('with %s is refused and the item named', (_, field, more) => {
    expect(() => checkExecutionRequest(asked(more))).toThrow(
      expect.objectContaining({ code: 'invalid_argument', meta: { field } }),
    );
  });

  it('is told of every file that cannot go in, up to ten by name', () => {
    const bad = Array.from({ length: 12 }, (_, n) => file(`/abs${n}`));
    expect(() => checkExecutionRequest(asked({ files: [file('good'), file('../up'), file('good'), ...bad] }))).toThrow(
      expect.objectContaining({
        detail: expect.stringMatching(/\.\.\/up.*"good".* goes in twice.*\/abs7.*; and 4 more\.$/),
      }),
    );
  });

  it('gets the defaults, normal paths and usual modes', () => {
    const { program, notices } = checkExecutionRequest(asked({ files: [file('./a//b')] }));
    expect(program.limits).toEqual({ timeoutSeconds: 60, memoryMb: 256, cpu: 1 });
    expect(program.files).toEqual([{ path: 'a/b', content: new Uint8Array(), mode: 0o644 }]);
    expect(notices).toEqual([]);
  });

  it('is clamped on both sides, and each change is said', () => {
    const { program, notices } = checkExecutionRequest(
      asked({ limits: { timeoutSeconds: 900, memoryMb: 1, cpu: 0.001 } }),
    );
    expect(program.limits).toEqual({ timeoutSeconds: 300, memoryMb: 16, cpu: 0.1 });
    expect(notices).toEqual([
      'The timeout of 900 s was set to 300 s, the most that is allowed.',
      'The memory of 1 MB was set to 16 MB, the least that is allowed.',
      'The cpu of 0.001 cores was set to 0.1 cores, the least that is allowed.',
    ]);
  });

  it('keeps hostile names as data', () => {
    const { program } = checkExecutionRequest(
      asked({ env: JSON.parse('{"__proto__":"1"}') as Record<string, string> }),
    );
    expect(Object.keys(program.env)).toEqual(['__proto__']);
  });
});

describe('the digest of a request', () => {
  const digest = (more: Partial<AskedExecution> = {}) => requestDigest(checkExecutionRequest(asked(more)));

  it('is the same for the same request in another order', () => {
    expect(digest({ files: [file('a'), file('b')], env: { A: '1', B: '2' } })).toBe(
      digest({ files: [file('b'), file('a')], env: { B: '2', A: '1' } }),
    );
    expect(digest({ limits: limits({ timeoutSeconds: 60 }) })).toBe(digest());
  });

  it('differs with everything that matters', () => {
    const digests = [
      digest(),
      digest({ code: 'print(2)' }),
      digest({ language: 'node' }),
      digest({ conversationId: 'cnv_2' }),
      digest({ limits: limits({ memoryMb: 100 }) }),
      digest({ env: { A: 'BC' } }),
      digest({ env: { AB: 'C' } }),
      digest({ files: [file('a', Buffer.from('x'))] }),
      digest({ files: [file('a', Buffer.from('y'))] }),
      digest({ files: [file('a', Buffer.from('x'), 0o755)] }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });
});
