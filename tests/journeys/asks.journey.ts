/** @bravo asks and the person answers: on the page one question at a time, over the API, at the command line; what nobody answered is no answer. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { keepShot, launchBrowser, openPage } from './support/browser-page.ts';
import { eventually } from './support/eventually.ts';
import { usePlatform } from './support/platform.ts';

const stage = usePlatform();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
});

describe('questions to the person', () => {
  it('are answered on the page, one at a time, by a choice, in own words and by a skip [asks.answers]', async () => {
    const { page, complaints } = await openPage(browser, stage.platform.gatewayUrl, 'alice');
    await page.getByTestId('new-conversation').click();
    await page
      .getByTestId('composer')
      .fill('ask me "Which colour?" [red | blue] and "How \u202elarge?" and "What else?" [a | b | c]+');
    await page.keyboard.press('Enter');
    const card = page.getByTestId('ask-card');
    await card.waitFor({ timeout: 45_000 });
    await page.getByTestId('ask-question').filter({ hasText: 'Which colour?' }).waitFor();
    expect(await page.getByTestId('ask-question').count()).toBe(1);
    expect(await page.getByTestId('ask-place').innerText()).toBe('1 of 3');
    expect(await page.getByTestId('next').isDisabled()).toBe(true);
    await keepShot(page, 'asks-1-choice');
    await page.getByTestId('option-2').check();
    await page.getByTestId('next').click();
    const second = await page.getByTestId('ask-question').innerText();
    expect(second).toContain('large?');
    expect(second).not.toContain('\u202e');
    await page.getByTestId('own-words').fill('as large as a house');
    await keepShot(page, 'asks-2-own-words');
    await page.getByTestId('next').click();
    await page.getByTestId('skip').click();
    const answered = page.getByTestId('message-assistant').filter({ hasText: 'chosen: blue' });
    await answered.waitFor({ timeout: 45_000 });
    expect(await answered.innerText()).toMatch(/in their own words: as large as a house[\s\S]*skipped/);
    await keepShot(page, 'asks-3-answered');
    expect(complaints).toEqual([]);
    const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
    const trail = await eventually('the trail to hold the call', async () => {
      const entries = await stage.alice.trail(id);
      return entries.some(({ type }) => type === 'agent.tool.executed') && entries;
    });
    expect(trail.map(({ type }) => type)).toContain('agent.tool.approved');
    expect(JSON.stringify(trail)).not.toMatch(/blue|large as/);
    await stage.alice.call('DELETE', `/bravo/conversations/${id}`);
  });

  it('are answered over the API in the inbox of everything that waits, and by nobody else [asks.answers] [approval.people-only]', async () => {
    const { alice, bob } = stage;
    const conversation = await alice.createConversation();
    const log = await alice.say(conversation, 'ask me "Which colour?" [red | blue]');
    const id = String((await log.until('needs_approval')).data['id']);
    const { approvals } = (await alice.get('/bravo/approvals')) as {
      approvals: { tool_call_id: string; tool: string }[];
    };
    expect(approvals).toContainEqual(expect.objectContaining({ tool_call_id: id, tool: 'ask_user' }));
    const answers = [{ question: 1, words: 'mauve' }];
    expect((await bob.answer(conversation, id, 'approve', { answers })).status).toBe(404);
    expect((await alice.answer(conversation, id, 'approve')).status).toBe(400);
    expect((await alice.answer(conversation, id, 'approve', { answers: [{ question: 2, words: 'x' }] })).status).toBe(
      400,
    );
    expect((await alice.answer(conversation, id, 'approve', { answers })).status).toBe(200);
    expect((await alice.answer(conversation, id, 'approve', { answers })).status).toBe(409);
    await log.terminal();
    expect(log.text()).toContain('in their own words: mauve');
    const again = await alice.say(conversation, 'ask me "Which colour?" [red | blue]');
    await again.terminal();
    expect(again.count('needs_approval')).toBe(0);
    expect(again.text()).toContain('mauve');
  });

  it('that nobody looks on at are declined, and a no is told as one [asks.nobody]', async () => {
    const { alice } = stage;
    const unattended = await alice.createConversation({ unattended: true });
    const declined = await alice.say(unattended, 'ask me "Which colour?"');
    await declined.terminal();
    expect(declined.count('needs_approval')).toBe(0);
    expect(declined.text()).toContain('nobody can be asked here');
    const conversation = await alice.createConversation();
    const log = await alice.say(conversation, 'ask me "Which colour?"');
    await alice.answer(conversation, String((await log.until('needs_approval')).data['id']), 'deny');
    await log.terminal();
    expect(log.text()).toContain('denied');
  });
});

describe('a file that was kept from @bravo', () => {
  it('is looked at whole on the page and vouched for there; then @bravo reads it, and the trail says who let it [trust.offer] [trust.exact]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const approved = async (message: string) => {
      const log = await alice.say(conversation, message);
      await alice.answer(conversation, String((await log.until('needs_approval')).data['id']), 'approve');
      await log.terminal();
      return log.text();
    };
    const printed = await approved('run this python: print("quokka wombat\\n" * 60)');
    await approved(`write ${printed.match(/ref:\d+/)?.[0]} to notes.txt`);
    const { page, complaints } = await openPage(browser, stage.platform.gatewayUrl, 'alice');
    await page.goto(`${stage.platform.gatewayUrl}/#/acme/${conversation}`);
    await page.getByTestId('message-assistant').first().waitFor({ timeout: 45_000 });
    await page.getByTestId('composer').fill('show notes.txt');
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="tool-card"]').nth(2).waitFor({ timeout: 45_000 });
    await keepShot(page, 'asks-4-kept');
    await page.locator('[data-testid^="trust-offer-"]').click({ timeout: 45_000 });
    const vouch = page.getByTestId('vouch');
    await vouch.waitFor({ timeout: 45_000 });
    expect(await page.getByTestId('offered-file').innerText()).toContain('quokka wombat');
    expect(await vouch.isDisabled()).toBe(true);
    await keepShot(page, 'asks-4-trust-offer');
    await page.getByTestId('offered-file').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await page.locator('[data-testid="vouch"]:not([disabled])').click();
    // The words stand on the cards before: what counts is the answer of the turn that read it again.
    await page.getByTestId('message-assistant').nth(3).filter({ hasText: 'quokka wombat' }).waitFor({ timeout: 60_000 });
    await keepShot(page, 'asks-5-vouched');
    expect(complaints).toEqual([]);
    const trail = await eventually('the trail to hold the yes', async () => {
      const entries = await alice.trail(conversation);
      return entries.some(({ type }) => type === 'agent.content.vouched') && entries;
    });
    expect(trail.find(({ type }) => type === 'agent.content.vouched')?.actor).toMatch(/^user:/);
    expect(JSON.stringify(trail)).not.toContain('wombat');
    // Its words are @bravo's to know now: nothing of it is looked for in what the pod heard.
    await alice.call('DELETE', `/bravo/conversations/${conversation}`);
  });
});
