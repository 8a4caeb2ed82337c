/** A whole platform for one journey file, started as `./bravo up` starts it, and the people who use it. */
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type Platform, startPlatform } from '@bravo/testing';
import { findIn, needlesOf } from '../../hostile/support/search-bytes.ts';
import { quarantinedWords } from './quarantined-words.ts';
import { prepareRecordingPods, type RecordingPods } from './recording-pod.ts';
import { RestClient } from './rest-client.ts';

export type { Platform } from '@bravo/testing';

export interface Stage {
  platform: Platform;
  alice: RestClient;
  bob: RestClient;
  carol: RestClient;
  /** Where the pods of the journey keep what they receive. */
  pods: RecordingPods;
}

export interface StageOptions {
  /** Every pod keeps what it receives, and after each test none has heard a quarantined word. True unless the journey says why not. */
  readonly recordPods?: boolean;
}

const START_MS = 180_000;

/** Fills the returned object before the first test of the file and takes everything down after the last. */
export const usePlatform = (env: Readonly<Record<string, string>> = {}, { recordPods = true }: StageOptions = {}): Stage => {
  const stage = {} as Stage;
  beforeAll(async () => {
    if (recordPods) stage.pods = prepareRecordingPods();
    stage.platform = await startPlatform({ env: recordPods ? { BRAVO_POD_PROGRAM: stage.pods.program, ...env } : env });
    stage.pods?.watch(() => stage.platform.podPids());
    for (const name of ['alice', 'bob', 'carol'] as const) {
      const { token, workspace } = await stage.platform.token(name);
      stage[name] = new RestClient(stage.platform.gatewayUrl, token, workspace);
    }
  }, START_MS);
  afterEach(async () => {
    const words: string[] = [];
    for (const client of [stage.alice, stage.bob, stage.carol]) {
      if (recordPods) for (const conversation of client?.created ?? []) words.push(...(await quarantinedWords(client, conversation)));
      await client?.endConversations();
    }
    const recordings = words.length === 0 ? [] : await stage.pods.recordings();
    const heard = words.flatMap((word) => recordings.flatMap((recording) => findIn(recording, needlesOf(word)).map((spelling) => `${word}, ${spelling}`)));
    expect({ 'quarantined words a pod heard': heard }).toEqual({ 'quarantined words a pod heard': [] });
  }, 60_000);
  afterAll(async () => {
    await stage.platform?.stop();
    stage.pods?.remove();
  }, 60_000);
  return stage;
};

/** Asks for a program and waits for the question; the stream stays open. */
export const askForProgram = async (client: RestClient, conversation: string, code = 'print(6*7)') => {
  const log = await client.say(conversation, `run this python: ${code}`);
  const question = await log.until('needs_approval');
  return { log, question, toolCall: String(question.data['id']) };
};
