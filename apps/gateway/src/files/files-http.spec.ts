/** Bytes over HTTP: read only of whoever was admitted, up to the limit, and never as anything but bytes; conditions become those of the broker. */
import { describe, expect, it } from '@jest/globals';
import { beginConversation, createCallApi } from '../call-api.fixture.ts';
import { useGateway } from '../gateway.fixture.ts';
import { expectedRevision } from './change-tokens.ts';
import { dispositionOf } from './write-bytes.http.ts';

const test = useGateway();
const call = createCallApi(test);

const put = async (
  path: string,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(`${test.url}/api/v1/acme/bravo/conversations/${path}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${test.tokens['alice']}`,
      'content-type': 'application/octet-stream',
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as { code?: string; detail?: string } };
};

describe('an upload', () => {
  it('reaches the broker as the very bytes, with its condition', async () => {
    const conversation = await beginConversation(call);
    const bytes = new Uint8Array([0, 255, 10, 13, 0]);
    const sent = await put(`${conversation}/files/a/%C3%A4%20b?lets_read=true`, bytes, { 'if-none-match': '*' });
    expect(sent).toMatchObject({ status: 200, body: { created: true, file: { path: 'a/ä b', size: 5 } } });
    const asked = test.standIns.asked.findLast(({ method }) => method === 'writeConversationFile');
    expect(asked?.request).toMatchObject({
      path: 'a/ä b',
      content: Buffer.from(bytes),
      expectedRevision: 'absent',
      letsRead: true,
    });
  });

  it('beyond the limit is refused with a reason, and the connection goes on', async () => {
    const conversation = await beginConversation(call);
    const before = test.standIns.asked.length;
    for (let n = 0; n < 3; n += 1)
      expect(await put(`${conversation}/files/big`, new Uint8Array(33 * 1024 * 1024))).toMatchObject({
        status: 413,
        body: { code: 'payload_too_large', detail: 'A file may have 32 MiB.' },
      });
    expect(test.standIns.asked.length).toBe(before);
    expect(await put(`${conversation}/files/small`, new Uint8Array(3))).toMatchObject({ status: 200 });
    expect(await put(`${conversation}/files/none`, undefined)).toMatchObject({ status: 200 });
  });

  it('of another kind, or of nobody, is refused', async () => {
    const conversation = await beginConversation(call);
    const path = `${conversation}/files/a`;
    expect(await put(path, '{}', { 'content-type': 'application/json' })).toMatchObject({ status: 415 });
    expect(await put(path, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 415,
    });
    expect(await put(path, 'x', { authorization: 'Bearer nobody' })).toMatchObject({ status: 401 });
    expect(await put(`${path}?lets_read=yes`, 'x')).toMatchObject({ status: 400, body: { field: 'lets_read' } });
    const elsewhere = await fetch(`${test.url}/api/v1/acme/bravo/conversations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${test.tokens['alice']}`, 'content-type': 'application/octet-stream' },
      body: '{}',
    });
    expect(elsewhere.status).toBe(415);
  });
});

describe('conditions', () => {
  it.each([
    [undefined, undefined, ''],
    ['"0aF"'.toLowerCase(), undefined, '0af'],
    [undefined, '*', 'absent'],
  ])('If-Match %s and If-None-Match %s ask for "%s"', (match, none, wanted) => {
    expect(expectedRevision(match, none)).toBe(wanted);
  });

  it.each([
    ['*', undefined],
    ['""', undefined],
    ['W/"0a"', undefined],
    ['"absent"', undefined],
    ['', undefined],
    ['"0a"', '*'],
    [undefined, '"0a"'],
  ])('If-Match %s and If-None-Match %s are refused', (match, none) => {
    expect(() => expectedRevision(match, none)).toThrow();
  });
});

describe('the name under which a file is kept', () => {
  it.each([
    ['a/b.txt', `attachment; filename="b.txt"; filename*=UTF-8''b.txt`],
    ['ä"\r\nx: y', `attachment; filename="____x_ y"; filename*=UTF-8''%C3%A4%22%0D%0Ax%3A%20y`],
    ["it's(1)", `attachment; filename="it_s_1_"; filename*=UTF-8''it%27s%281%29`],
  ])('%j', (path, wanted) => {
    expect(dispositionOf(path)).toBe(wanted);
  });
});
