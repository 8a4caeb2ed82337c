/** A person puts files into a conversation, over REST and on the page: bytes both ways, untrusted until they say otherwise, theirs alone. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { keepShot, launchBrowser, openPage } from './support/browser-page.ts';
import { eventually } from './support/eventually.ts';
import { usePlatform } from './support/platform.ts';
import type { RestClient } from './support/rest-client.ts';

const stage = usePlatform();

const ask = async (who: RestClient, method: string, conversation: string, file: string, body?: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
  const response = await fetch(`${who.base}/api/v1/${who.workspace}/bravo/conversations/${conversation}/files/${file}`, {
    method,
    headers: { authorization: `Bearer ${who.token}`, ...(body === undefined ? {} : { 'content-type': 'application/octet-stream' }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const problem = (response.headers.get('content-type') ?? '').includes('json') ? (JSON.parse(bytes.toString()) as { code?: string; detail?: string; file?: Record<string, unknown> }) : {};
  return { status: response.status, headers: response.headers, bytes, ...problem };
};
const text = (words: string) => new Uint8Array(Buffer.from(words));

describe('files of a conversation', () => {
  it('go both ways byte by byte, under their change tokens, and stand on the trail by digest [upload.owner]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const large = new Uint8Array(randomBytes(9 * 1024 * 1024 + 3));
    const put = await ask(alice, 'PUT', conversation, 'data/h%C3%A4%20large.bin', large);
    expect(put).toMatchObject({ status: 200, file: { path: 'data/hä large.bin', trust: 'untrusted', size: large.length } });
    const tag = put.headers.get('etag') ?? '';
    const got = await ask(alice, 'GET', conversation, 'data/h%C3%A4%20large.bin');
    expect(got.bytes.equals(large)).toBe(true);
    expect(got.headers.get('etag')).toBe(tag);
    expect(got.headers.get('content-disposition')).toContain("filename*=UTF-8''h%C3%A4%20large.bin");
    expect((await ask(alice, 'GET', conversation, 'data/h%C3%A4%20large.bin', undefined, { 'if-none-match': tag })).status).toBe(304);

    expect((await ask(alice, 'PUT', conversation, 'a.txt', text('1'), { 'if-none-match': '*' })).status).toBe(200);
    expect(await ask(alice, 'PUT', conversation, 'a.txt', text('2'), { 'if-none-match': '*' })).toMatchObject({ status: 412, code: 'version_conflict' });
    expect(await ask(alice, 'DELETE', conversation, 'a.txt', undefined, { 'if-match': tag })).toMatchObject({ status: 412 });
    expect(await ask(alice, 'DELETE', conversation, 'data')).toMatchObject({ status: 409, detail: expect.stringContaining('holds files') });
    expect((await ask(alice, 'DELETE', conversation, 'a.txt')).status).toBe(204);
    expect((await ask(alice, 'GET', conversation, 'a.txt')).status).toBe(404);

    for (const [name, code, said] of [
      ['..%2Fescape', 'invalid_argument', 'climbs'],
      ['%2Fetc%2Fpasswd', 'invalid_argument', 'absolute'],
      ['a%E2%80%AEb', 'invalid_argument', 'invisible'],
      ['data', 'conflict', 'is a directory'],
      ['x'.repeat(300), 'invalid_argument', 'longer than 255 bytes'],
    ] as const)
      expect(await ask(alice, 'PUT', conversation, name, text('x'))).toMatchObject({ code, detail: expect.stringContaining(said) });
    expect(await ask(alice, 'PUT', conversation, 'big', new Uint8Array(33 * 1024 * 1024)).catch(() => ({ status: 413 }))).toMatchObject({ status: 413 });
    expect(await ask(alice, 'PUT', conversation, 'a', text('{}'), { 'content-type': 'application/json' })).toMatchObject({ status: 415 });

    const { files } = (await alice.get(`/bravo/conversations/${conversation}/files`)) as { files: { path: string; kind: string; change_token: string }[] };
    expect(files.map(({ path: name, kind }) => `${kind} ${name}`)).toEqual(['directory data', 'file data/hä large.bin']);
    expect(`"${files[1]?.change_token}"`).toBe(tag);
    const trail = await eventually('the uploads on the trail', async () => {
      const entries = await alice.trail(conversation);
      return entries.some(({ type }) => type === 'agent.file.removed') && entries;
    });
    expect(trail.find(({ type }) => type === 'agent.file.uploaded')?.data).toMatchObject({
      bytes: large.length,
      digest: createHash('sha256').update(large).digest('hex'),
      lets_read: false,
    });
    expect(JSON.stringify(trail)).not.toContain('large.bin');
  }, 120_000);

  it('are kept from the agent until the person lets it read them [upload.untrusted]', async () => {
    const { bob } = stage;
    const conversation = await bob.createConversation();
    await ask(bob, 'PUT', conversation, 'notes.txt', text('an unread sentence about quokkas'));
    const unread = await bob.say(conversation, 'show notes.txt');
    await unread.terminal();
    expect(unread.text()).toContain('ref:');
    expect(unread.text()).not.toContain('quokkas');
    await ask(bob, 'PUT', conversation, 'notes.txt?lets_read=true', text('a sentence about wombats'));
    const read = await bob.say(conversation, 'show notes.txt');
    await read.terminal();
    expect(read.text()).toContain('a sentence about wombats');
    const { lets_read: remembered } = (await bob.get(`/bravo/conversations/${conversation}/files`)) as { lets_read: boolean };
    expect(remembered).toBe(true);
    await ask(bob, 'PUT', conversation, 'cat.png', text('words in a picture'));
    const picture = await bob.say(conversation, 'show cat.png');
    await picture.terminal();
    expect(picture.text()).not.toContain('words in a picture');
    await ask(bob, 'PUT', conversation, 'last.txt?lets_read=false', text('x'));
  }, 120_000);

  it('are put there, kept and taken away on the page', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bravo-files-journey-'));
    writeFileSync(path.join(folder, 'report.csv'), 'a,b\n1,2\n');
    writeFileSync(path.join(folder, 'photo.png'), randomBytes(2_000));
    const browser = await launchBrowser();
    try {
      const { page, complaints } = await openPage(browser, stage.platform.gatewayUrl, 'carol');
      await page.getByTestId('new-conversation').click();
      await page.getByTestId('files-open').click();
      await page.getByText('There are no files yet.').waitFor();
      await page.getByTestId('files-choose').setInputFiles(path.join(folder, 'report.csv'));
      const row = (name: string) => page.locator(`[data-testid=file][data-path="${name}"]`);
      await row('report.csv').getByText('kept from @bravo').waitFor();
      await page.getByTestId('files-lets-read').check();
      await page.getByTestId('files-choose').setInputFiles([path.join(folder, 'report.csv'), path.join(folder, 'photo.png')]);
      await row('report.csv').getByText('may be read').waitFor();
      await row('photo.png').getByText('never as text').waitFor();
      const dropped = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['dropped words'], 'dropped.txt'));
        return transfer;
      });
      await page.getByTestId('files').dispatchEvent('drop', { dataTransfer: dropped });
      await row('dropped.txt').getByText('may be read').waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), row('dropped.txt').getByTestId('file-download').click()]);
      expect(download.suggestedFilename()).toBe('dropped.txt');
      expect(readFileSync(await download.path(), 'utf8')).toBe('dropped words');
      await row('dropped.txt').getByTestId('file-delete').click();
      await row('dropped.txt').getByText('Delete it for good?').waitFor();
      await keepShot(page, 'files-panel');
      await row('dropped.txt').getByTestId('file-delete-confirm').click();
      await row('dropped.txt').waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
