/** A person with a browser: sign in, ask, read the question, approve, see the answer and the verified trail. Screenshots are kept. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { usePlatform } from './support/platform.ts';

const stage = usePlatform();
const SCREENSHOTS = path.resolve(import.meta.dirname, '../../.bravo-screenshots');
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
let browser: Browser;

beforeAll(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: FLAGS });
}, 60_000);
afterAll(async () => {
  await browser?.close();
});

const open = async (scheme: 'light' | 'dark' = 'light'): Promise<{ page: Page; complaints: string[] }> => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, colorScheme: scheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(stage.platform.gatewayUrl);
  return { page, complaints };
};

const shot = (page: Page, name: string) => page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
const signIn = async (page: Page, name: string) => {
  await page.getByTestId(`sign-in-${name}`).click();
  await page.getByTestId('new-conversation').waitFor();
};
const ask = async (page: Page, text: string) => {
  await page.getByTestId('composer').fill(text);
  await page.keyboard.press('Enter');
};

describe('a person in the browser', () => {
  it('asks, reads the question, lets Bravo read the output, sees 42 and a verified trail [turn.answer] [trail.verify]', async () => {
    const { page, complaints } = await open();
    await shot(page, '1-sign-in');
    await signIn(page, 'alice');
    await shot(page, '2-empty');
    await page.getByTestId('new-conversation').click();
    await ask(page, 'run this python: print(6*7)');
    const approve = page.getByTestId('approve-read');
    await approve.waitFor({ timeout: 30_000 });
    // What is decided about is drawn a moment after the question stands.
    await page.getByTestId('tool-card').first().filter({ hasText: 'print(6*7)' }).waitFor({ timeout: 30_000 });
    await shot(page, '3-question');
    await approve.click();
    await page.getByTestId('message-assistant').filter({ hasText: '42' }).waitFor({ timeout: 30_000 });
    await page.getByTestId('trail-verified').waitFor({ timeout: 30_000 });
    await shot(page, '4-answer-and-trail');
    await page.reload();
    await page.getByTestId('message-assistant').filter({ hasText: '42' }).waitFor({ timeout: 30_000 });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('approves plainly and opens the reference herself; the page stays usable in the dark and when narrow [quarantine.reference]', async () => {
    const { page, complaints } = await open('dark');
    await signIn(page, 'alice');
    await page.getByTestId('new-conversation').click();
    await ask(page, "run this python: print('for your eyes')");
    await page.getByTestId('approve').click({ timeout: 30_000 });
    const reference = page.getByText(/ref:\d+/).first();
    await reference.waitFor({ timeout: 30_000 });
    await shot(page, '5-reference-dark');
    await page.setViewportSize({ width: 390, height: 800 });
    await shot(page, '6-narrow-dark');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('asks the trail who could have seen a slot, and sees what is kept [trail.questions]', async () => {
    const { page, complaints } = await open();
    await signIn(page, 'alice');
    await page.getByTestId('new-conversation').click();
    await ask(page, "run this python: print('for some eyes')");
    await page.getByTestId('approve').click({ timeout: 30_000 });
    await page.getByText(/ref:\d+/).first().waitFor({ timeout: 30_000 });
    const conversation = /cnv_\w+/.exec(page.url())?.[0] ?? '';
    await page.getByTestId('open-trail').click();
    expect(await page.getByTestId('trail-retention').innerText()).toContain('Rows are kept for ever');
    await page.getByTestId('trail-questions').locator('[name=conversation]').fill(conversation);
    await page.getByTestId('trail-questions').locator('[name=slot]').fill('1');
    await page.getByTestId('trail-questions').getByRole('button', { name: 'Ask' }).click();
    const seers = page.getByTestId('trail-seers');
    await seers.getByText('whose conversation it is').waitFor({ timeout: 30_000 });
    await shot(page, '9-trail-questions');
    await page.getByTestId('trail-question').selectOption('story');
    await page.getByTestId('trail-questions').locator('[name=conversation]').fill(conversation);
    await page.getByTestId('trail-questions').getByRole('button', { name: 'Ask' }).click();
    await seers.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('lets a member deny with the keyboard alone and see that the log verifies [approval.deny]', async () => {
    const { page, complaints } = await open();
    await signIn(page, 'bob');
    await page.getByTestId('new-conversation').focus();
    await page.keyboard.press('Enter');
    // A disabled field takes no focus, and this one is disabled until the conversation is read.
    await page.locator('[data-testid=composer]:enabled').waitFor();
    await page.getByTestId('composer').focus();
    await page.keyboard.type('run this python: print(6*7)');
    await page.keyboard.press('Enter');
    const deny = page.getByTestId('deny');
    await deny.waitFor({ timeout: 30_000 });
    await deny.focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('message-assistant').filter({ hasText: /den|refus|no/i }).waitFor({ timeout: 30_000 });
    await page.locator('[data-testid=trail-verified][data-ok=true]').waitFor({ timeout: 30_000 });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("accepts one rule that a settings file among the files proposes and leaves another, each shown as it is [settings.repository]", async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    await alice.send('PUT', `/bravo/settings/conversation?conversation=${conversation}`, { permissions: { allow: ['Edit(.bravo/**)'] } });
    const rules = ['Edit(notes/**)', 'Read(n\u202eotes/**)', 'Bash(rm *)'];
    const written = await alice.say(conversation, `write a file .bravo/settings.json with ${JSON.stringify({ permissions: { allow: rules } })}`);
    await written.terminal();
    const { page, complaints } = await open();
    await signIn(page, 'alice');
    await page.goto(`${stage.platform.gatewayUrl}/#/acme/${conversation}`);
    const proposals = page.getByTestId('proposal');
    await proposals.first().waitFor({ timeout: 30_000 });
    expect(await proposals.locator('code').allInnerTexts()).toEqual(['Edit(notes/**)', 'Read(n‹U+202E›otes/**)', 'Bash(rm *)']);
    await shot(page, '7-proposed-rules');
    await proposals.filter({ hasText: 'Bash(rm *)' }).getByTestId('leave-rule').click();
    await proposals.filter({ hasText: 'Edit(notes/**)' }).getByTestId('accept-rule').click();
    await page.getByTestId('accepted-rule').filter({ hasText: 'Edit(notes/**)' }).waitFor({ timeout: 30_000 });
    expect(await proposals.count()).toBe(1);
    await shot(page, '8-accepted-rule');
    await page.reload();
    await proposals.first().waitFor({ timeout: 30_000 });
    expect(await proposals.locator('code').allInnerTexts()).toEqual(['Read(n‹U+202E›otes/**)']);
    expect(await alice.get(`/bravo/conversations/${conversation}/settings/repository`)).toMatchObject({ accepted: ['Edit(notes/**)'], proposals: ['Read(n\u202eotes/**)', 'Bash(rm *)'] });
    expect((await alice.say(conversation, 'write a file notes/a.txt with hello').then(async (log) => (await log.terminal(), log))).count('needs_approval')).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
