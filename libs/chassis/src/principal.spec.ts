/** Signed principals are used again while nothing they say has changed, and a verified one never past its own end. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrincipalSigner, createPrincipalVerifier, type PrincipalSigner, type Subject } from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'bravo-principal-'));
const keysFile = join(directory, 'jwks.json');
let signer: PrincipalSigner;

const alice: Subject = {
  userId: 'usr_alice',
  workspaceId: 'ws_acme',
  role: 'admin',
  permissions: ['use_bravo', 'execute_code'],
  agent: { conversationId: 'cnv_1', podId: 'pod_1' },
};

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  writeFileSync(join(directory, 'broker.json'), JSON.stringify(await exportJWK(privateKey)));
  writeFileSync(keysFile, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'broker', alg: 'ES256' }] }));
  signer = await createPrincipalSigner('broker', join(directory, 'broker.json'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('a signed principal', () => {
  it('is sent again for the same words', async () => {
    expect(await signer.sign(alice, 'sandbox')).toBe(await signer.sign({ ...alice }, 'sandbox'));
  });

  it.each<[string, Subject, 'sandbox' | 'identity']>([
    ['another person', { ...alice, userId: 'usr_bob' }, 'sandbox'],
    ['another workspace', { ...alice, workspaceId: 'ws_globex' }, 'sandbox'],
    ['a changed role', { ...alice, role: 'member' }, 'sandbox'],
    ['a permission less', { ...alice, permissions: ['use_bravo'] }, 'sandbox'],
    ['another conversation', { ...alice, agent: { conversationId: 'cnv_2', podId: 'pod_1' } }, 'sandbox'],
    ['another pod', { ...alice, agent: { conversationId: 'cnv_1', podId: '' } }, 'sandbox'],
    [
      'no agent',
      { userId: alice.userId, workspaceId: 'ws_acme', role: 'admin', permissions: alice.permissions! },
      'sandbox',
    ],
    ['another callee', alice, 'identity'],
  ])('is another one for %s', async (_what, subject, audience) => {
    const [first, other] = [await signer.sign(alice, 'sandbox'), await signer.sign(subject, audience)];
    expect(other).not.toBe(first);
    const principal = await createPrincipalVerifier(audience, keysFile).verify(other);
    expect(principal).toMatchObject({
      audience,
      userId: subject.userId,
      workspaceId: subject.workspaceId,
      role: subject.role,
      permissions: subject.permissions,
      agent: subject.agent,
    });
  });
});

describe('a verified principal', () => {
  it('is refused once it has expired, also where it was verified before', async () => {
    const verifier = createPrincipalVerifier('sandbox', keysFile);
    const token = await signer.sign(alice, 'sandbox');
    const { exp = 0 } = decodeJwt(token);
    try {
      await verifier.verify(token);
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'], now: exp * 1_000 + 6_000 });
      await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    } finally {
      jest.useRealTimers();
    }
  });

  it('cannot be changed by who was given it', async () => {
    const verifier = createPrincipalVerifier('sandbox', keysFile);
    const token = await signer.sign(alice, 'sandbox');
    const principal = await verifier.verify(token);
    expect(() => (principal.permissions as string[]).push('everything')).toThrow(TypeError);
    expect(() => Object.assign(principal, { role: 'owner' })).toThrow(TypeError);
    expect(await verifier.verify(token)).toEqual(principal);
  });
});
