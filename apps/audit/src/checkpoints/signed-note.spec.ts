import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { readSigningKey } from './read-signing-key.client.ts';
import { createNoteSigner } from './signed-note.ts';

const signer = createNoteSigner(generateKeyPairSync('ed25519').privateKey);
const text = 'bravo/ws_1\n3\nroot\n';

describe('signed notes', () => {
  it('are those of golang.org/x/mod/sumdb/note, byte for byte', () => {
    const seed = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
    const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const published = createNoteSigner(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }));
    expect(published.verifierKey('PeterNeumann')).toBe(
      'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    );
    const quote =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
    expect(published.sign('PeterNeumann', quote)).toBe(
      `${quote}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`,
    );
  });

  it('open under the key and name they were signed with', () => {
    const note = signer.sign('bravo/ws_1', text);
    expect(note.startsWith(`${text}\n— bravo/ws_1 `)).toBe(true);
    expect(signer.open('bravo/ws_1', note)).toBe(text);
  });

  it('keep a foreign signature line beside ours', () => {
    const note = signer.sign('bravo/ws_1', text);
    expect(
      signer.open('bravo/ws_1', note.replace('\n\n', `\n\n— witness ${Buffer.alloc(68).toString('base64')}\n`)),
    ).toBe(text);
  });

  it.each([
    ['another text', (note: string) => note.replace('\n3\n', '\n4\n')],
    ['another name', (note: string) => note.replace('— bravo/ws_1', '— bravo/ws_2')],
    ['another key', () => createNoteSigner(generateKeyPairSync('ed25519').privateKey).sign('bravo/ws_1', text)],
    ['a log signed under another name', () => signer.sign('bravo/ws_2', text)],
    ['no signature', (note: string) => note.slice(0, note.indexOf('\n\n') + 2)],
    ['a cut signature', (note: string) => `${note.slice(0, -10)}\n`],
    ['nothing', () => ''],
  ])('do not open with %s', (_what, spoil) => {
    expect(signer.open('bravo/ws_1', spoil(signer.sign('bravo/ws_1', text)))).toBeUndefined();
  });

  it('refuse names that read two ways', () => {
    expect(() => signer.sign('a b', text)).toThrow(/key name/);
    expect(() => signer.verifierKey('a+b')).toThrow(/key name/);
  });
});

describe('the key file', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'bravo-note-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const file = (name: string, content: string) => {
    writeFileSync(path.join(directory, name), content);
    return path.join(directory, name);
  };

  it('says what is wrong with it', () => {
    expect(() => readSigningKey(path.join(directory, 'missing'))).toThrow(/missing cannot be read/);
    expect(() => readSigningKey(file('text', 'hello'))).toThrow(/PKCS#8/);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => readSigningKey(file('ec', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()))).toThrow(
      /Ed25519/,
    );
  });
});

describe('checkpoint bodies', () => {
  const body = { origin: 'bravo/ws_1', size: 3, root: new Uint8Array(32).fill(7) };

  it('read back as written', () => {
    expect(readCheckpoint(writeCheckpoint(body))).toEqual({ ...body, root: Buffer.from(body.root) });
  });

  it.each([['03'], ['+3'], ['3.0'], ['']])('refuse the size %j', (size) => {
    expect(readCheckpoint(writeCheckpoint(body).replace('\n3\n', `\n${size}\n`))).toBeUndefined();
  });

  it('refuse extra lines', () => {
    expect(readCheckpoint(`${writeCheckpoint(body)}more\n`)).toBeUndefined();
  });
});
