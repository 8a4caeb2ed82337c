/** A page of the platform's own in a real browser, and what it complained of; screenshots are kept beside the others. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const SCREENSHOTS = path.resolve(import.meta.dirname, '../../../.bravo-screenshots');
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export const launchBrowser = (): Promise<Browser> => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  return chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: FLAGS });
};

/** Signed in as `name`, where nothing is open yet. */
export const openPage = async (browser: Browser, url: string, name: string, scheme: 'light' | 'dark' = 'light'): Promise<{ page: Page; complaints: string[] }> => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, colorScheme: scheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  await page.getByTestId(`sign-in-${name}`).click();
  await page.getByTestId('new-conversation').waitFor();
  return { page, complaints };
};

export const keepShot = (page: Page, name: string): Promise<unknown> => page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
