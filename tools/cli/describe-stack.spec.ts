import { describe, expect, it } from '@jest/globals';
import { describeExecution, describeModel } from './describe-stack.ts';

describe('what up says at its end', () => {
  it.each([
    [{ available: true, backend: 'crun', reason: '', languages: ['python', 'bash'] }, 'Code execution: contained (crun, no network; python, bash).'],
    [{ available: false, backend: 'crun', reason: 'The sandbox needs root.', languages: [] }, 'Code execution: off, nothing runs uncontained. The sandbox needs root.'],
  ])('of programs: %j', (description, sentence) => expect(describeExecution(description)).toBe(sentence));

  it.each([
    [{}, /demo planner, which is no language model/],
    [{ BRAVO_MODEL_PROVIDER: 'demo', BRAVO_MODEL_NAME: 'ignored' }, /demo planner/],
    [{ BRAVO_MODEL_PROVIDER: 'openai-compatible', BRAVO_MODEL_NAME: 'qwen3', BRAVO_MODEL_BASE_URL: 'http://user:secret@127.0.0.1:11434/v1' }, /^Model: qwen3 \(openai-compatible at 127\.0\.0\.1:11434\)\.$/],
  ])('of the model: %j', (environment, sentence) => expect(describeModel(environment as Record<string, string>)).toMatch(sentence));
});
