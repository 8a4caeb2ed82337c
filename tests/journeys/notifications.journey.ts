/** What happens reaches the people it concerns: in the feed, under the bell and by e-mail, and nobody else. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
const stage = usePlatform(environment);
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

describe('what happens', () => {
  it('is told to the person it concerns, in the feed, under the bell and by e-mail, and to nobody else [notify.own]', async () => {
    const { alice, bob } = stage;
    expect(await bob.get('/notifications/preferences')).toMatchObject({ email: [], email_offered: true });
    const wanted = { email: ['approval_wanted'], digest: '', quiet_from: '', quiet_to: '', time_zone: 'Europe/Zurich' };
    expect(await bob.send('PUT', '/notifications/preferences', wanted)).toEqual(wanted);
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
      await form.getByLabel('Limits that are nearly used').check({ timeout: 30_000 });
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
