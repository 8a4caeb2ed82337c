/** A whole platform for one journey file, started as `./bravo up` starts it, and the people who use it. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type Platform, startPlatform } from '@bravo/testing';
import { RestClient } from './rest-client.ts';

export type { Platform } from '@bravo/testing';

export interface Stage {
  platform: Platform;
  alice: RestClient;
  bob: RestClient;
  carol: RestClient;
}

const START_MS = 180_000;

/** Fills the returned object before the first test of the file and takes everything down after the last. */
export const usePlatform = (env: Readonly<Record<string, string>> = {}): Stage => {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.platform = await startPlatform({ env });
    for (const name of ['alice', 'bob', 'carol'] as const) {
      const { token, workspace } = await stage.platform.token(name);
      stage[name] = new RestClient(stage.platform.gatewayUrl, token, workspace);
    }
  }, START_MS);
  afterEach(async () => {
    for (const client of [stage.alice, stage.bob, stage.carol]) await client?.endConversations();
  }, 60_000);
  afterAll(async () => {
    await stage.platform?.stop();
  }, 60_000);
  return stage;
};

/** Asks for a program and waits for the question; the stream stays open. */
export const askForProgram = async (client: RestClient, conversation: string, code = 'print(6*7)') => {
  const log = await client.say(conversation, `run this python: ${code}`);
  const question = await log.until('needs_approval');
  return { log, question, toolCall: String(question.data['id']) };
};
