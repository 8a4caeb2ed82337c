/** What happens reaches the people it concerns: in the feed, under the bell, by e-mail and at their webhook, and nobody else; and the trail of it reaches where an admin sent it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { SMTPServer } from 'smtp-server';
import { keepShot, launchBrowser, openPage } from './support/browser-page.ts';
import { eventually } from './support/eventually.ts';
import { askForProgram, usePlatform } from './support/platform.ts';

const letters: { to: string; text: string }[] = [];
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, session, done) {
    let text = '';
    stream.on('data', (piece: Buffer) => (text += piece.toString()));
    stream.on('end', () => {
      letters.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), text });
      done();
    });
  },
});
const environment: Record<string, string> = { BRAVO_SMTP_PLAIN: 'true', BRAVO_NOTIFY_LONG_TURN_SECONDS: '0.001' };
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      environment['BRAVO_SMTP_URL'] = `smtp://127.0.0.1:${(listening.address() as { port: number }).port}`;
      resolve();
    });
  });
});
/** Whatever a webhook is sent, by its path. */
const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
const directory = mkdtempSync(path.join(tmpdir(), 'bravo-receiver-'));
let receiver: Server;
let receiverPort = 0;
beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  } as never);
  receiver = createServer({ key, cert }, (request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      // The first time it is not up to it.
      response.writeHead(received.filter(({ path: at }) => at === request.url).length === 1 ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  receiverPort = (receiver.address() as { port: number }).port;
  environment['BRAVO_OUTBOUND_CA_FILE'] = path.join(directory, 'ca.pem');
  writeFileSync(environment['BRAVO_OUTBOUND_CA_FILE'], cert);
  const listed = ['audit', 'automation'].map((service) => `${service}=localhost:${receiverPort}`);
  environment['BRAVO_EGRESS_PRIVATE_DESTINATIONS'] = listed.join(' ');
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
  rmSync(directory, { recursive: true });
});
const stage = usePlatform(environment);
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

describe('what happens', () => {
  it('is told to the person it concerns, in the feed, under the bell and by e-mail, and to nobody else [notify.own]', async () => {
    const { alice, bob } = stage;
    expect(await bob.get('/notifications/preferences')).toMatchObject({ email: [], email_offered: true });
    const wanted = { email: ['approval_wanted'], digest: '', quiet_from: '', quiet_to: '', time_zone: 'Europe/Zurich' };
    const kept = { ...wanted, webhook: '', webhook_kinds: [], webhook_secret: '' };
    expect(await bob.send('PUT', '/notifications/preferences', wanted)).toEqual(kept);
    expect((await bob.call('PUT', '/notifications/preferences', { ...wanted, time_zone: 'Mars' })).status).toBe(400);

    const conversation = await bob.createConversation();
    const { toolCall, log } = await askForProgram(bob, conversation, 'print("nobody is told of this word")');
    const asked = await eventually('the question under the bell', async () => {
      const { notifications } = await bob.get('/notifications?unread=true');
      return notifications.find(({ kind }: { kind: string }) => kind === 'approval_wanted');
    });
    expect(asked).toMatchObject({ conversation_id: conversation, read: false });
    const letter = await eventually('the letter', async () => letters[0]);
    expect(letter.to).toBe('bob@example.com');
    expect(letter.text).toContain(conversation);
    expect(letter.text).not.toContain('nobody is told');

    await bob.answer(conversation, toolCall, 'approve');
    await log.terminal();
    await eventually('the answer to settle it', async () => {
      const { notifications } = await bob.get('/notifications');
      return notifications.find(({ id, read }: { id: string; read: boolean }) => id === asked.id && read);
    });
    await eventually('the end of the answer', async () => {
      const { notifications } = await bob.get('/notifications?unread=true');
      return notifications.some(({ kind }: { kind: string }) => kind === 'turn_finished');
    });
    const feed = await eventually('the feed', async () => {
      const { activities } = await bob.get('/activity');
      return (
        activities.some(({ text }: { text: string }) => text.startsWith('@bravo ran a Python script')) && activities
      );
    });
    expect(JSON.stringify(feed)).not.toContain('nobody is told');
    expect(await bob.send('POST', '/notifications/read', { all: true })).toEqual({ unread: 0 });

    expect((await alice.get('/notifications')).notifications).toEqual([]);
    const { activities } = await alice.get('/activity');
    expect(
      activities.filter(({ conversation_id }: { conversation_id: string }) => conversation_id === conversation),
    ).toEqual([]);
    expect(letters).toHaveLength(1);
  });

  it("reaches a person's webhook, and the trail a destination, through egress, again until each has taken it [notify.webhook] [trail.deliveries]", async () => {
    const { alice, bob } = stage;
    const site = `https://localhost:${receiverPort}`;
    const wanted = { email: [], digest: '', quiet_from: '', quiet_to: '', time_zone: 'UTC' };
    const hook = { webhook: `${site}/bob`, webhook_kinds: ['approval_wanted'] };
    const { webhook_secret: secret } = await bob.send('PUT', '/notifications/preferences', { ...wanted, ...hook });
    expect(secret).toMatch(/^whsec_/);
    const destination = { name: 'SIEM', kind: 'webhook', url: `${site}/siem`, every_seconds: 1, from: 'beginning' };
    expect((await bob.call('POST', '/audit/destinations', destination)).status).toBe(403);
    const added = await alice.send('POST', '/audit/destinations', destination);
    expect(added.signing_secret).toMatch(/^whsec_/);

    const conversation = await bob.createConversation();
    const { toolCall, log } = await askForProgram(bob, conversation, 'print("nobody is told of this either")');
    const at = (where: string) => received.filter(({ path: called }) => called === where);
    const delivered = () =>
      at('/siem')
        .slice(1)
        .flatMap(({ body }) => body.trimEnd().split('\n'));
    await eventually('the trail at its destination', async () =>
      delivered().some((line) => line.includes(conversation)),
    );
    const calls = await eventually(
      'the webhook called again',
      async () => (at('/bob').length >= 2 ? at('/bob') : undefined),
      90_000,
    );
    await bob.answer(conversation, toolCall, 'deny');
    await log.terminal();
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(calls[0]?.body).toContain(conversation);
    const first = JSON.parse(delivered()[0] ?? '') as { kind: string; filter: Record<string, string> };
    expect(first).toMatchObject({ kind: 'bravo-trail-export', filter: { from_index: '0' } });
    expect(JSON.stringify(received)).not.toContain('nobody is told of this either');
    const { destinations } = await alice.get('/audit/destinations');
    expect(destinations).toMatchObject([{ name: 'SIEM', problem: '', failing_since: '' }]);
    expect(JSON.stringify(destinations)).not.toContain(added.signing_secret);
    await alice.call('DELETE', `/audit/destinations/${added.destination.id}`);
    await bob.send('PUT', '/notifications/preferences', { ...wanted, email: ['approval_wanted'] });
  });

  it('is under the bell of the page, which leads to the question, and settings are kept [notify.own]', async () => {
    const { bob, platform } = stage;
    await bob.send('POST', '/notifications/read', { all: true });
    const conversation = await bob.createConversation();
    const { toolCall, log } = await askForProgram(bob, conversation, 'print(6*7)');
    await eventually('the question under the bell', async () => {
      const { notifications } = await bob.get('/notifications?unread=true');
      return notifications.length > 0;
    });
    const browser = await launchBrowser();
    try {
      const { page, complaints } = await openPage(browser, platform.gatewayUrl, 'bob');
      await page.getByTestId('unread').waitFor({ timeout: 30_000 });
      await page.getByTestId('bell').click();
      const list = page.getByTestId('notifications');
      const question = list.getByRole('button', { name: '@bravo waits for your answer' }).first();
      await question.waitFor({ timeout: 30_000 });
      await list.getByRole('button', { name: 'Settings' }).click();
      const form = page.getByTestId('preferences');
      const byMail = form.getByRole('group', { name: 'By e-mail, too:' });
      await byMail.getByLabel('Limits that are nearly used').check({ timeout: 30_000 });
      await keepShot(page, '10-bell');
      await form.getByRole('button', { name: 'Keep' }).click();
      await form.getByText('Kept.').waitFor({ timeout: 30_000 });
      expect((await bob.get('/notifications/preferences')).email).toEqual(
        expect.arrayContaining(['approval_wanted', 'budget_near']),
      );
      await question.click();
      await page.getByTestId('approve').waitFor({ timeout: 30_000 });
      expect(page.url()).toContain(conversation);
      await bob.answer(conversation, toolCall, 'approve');
      await log.terminal();
      await list.getByRole('button', { name: 'All read' }).click({ timeout: 30_000 });
      await page.getByTestId('unread').waitFor({ state: 'detached', timeout: 30_000 });
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
