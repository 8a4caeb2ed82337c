import { describe, expect, it } from '@jest/globals';
import { programsFinding } from './commands/doctor.ts';
import { describeExecution, describeFiles, describeModel, describePods } from './describe-stack.ts';

describe('what up says at its end', () => {
  it.each([
    [{ available: true, backend: 'crun', reason: '', languages: ['python', 'bash'], filesIsolation: 'contained', filesReason: '' }, 'Code execution: contained (crun, no network; python, bash).'],
    [{ failure: 'no connection' }, 'Code execution: off, the sandbox did not answer (no connection). "./bravo doctor" says more.'],
    [{ available: false, backend: 'crun', reason: 'The sandbox needs root.', languages: [], filesIsolation: 'process', filesReason: '' }, 'Code execution: off, nothing runs uncontained. The sandbox needs root.'],
  ])('of programs: %j', (description, sentence) => expect(describeExecution(description)).toBe(sentence));

  it.each([
    ['contained', '', /^Files: contained/],
    ['process', 'No crun.', /^Files: opened by a plain process .*No crun\.$/],
    ['', 'No toolbox.', /^Files: cannot be opened\. No toolbox\.$/],
  ])('of files: %s', (filesIsolation, filesReason, sentence) =>
    expect(describeFiles({ available: true, backend: 'oci', reason: '', languages: [], filesIsolation, filesReason })).toMatch(sentence));

  it.each([
    [{ isolation: 'contained', reason: '' }, /^Agent pods: contained/],
    [{ isolation: 'user', reason: 'No crun.' }, /^Agent pods: NOT contained .*No crun\.$/],
    [{ isolation: 'refused', reason: 'It needs root.' }, /^Agent pods: refused, .*It needs root\.$/],
    [{ failure: 'gone' }, /the orchestrator did not answer \(gone\)/],
  ])('of agent pods: %j [pod.refuses]', (description, sentence) => expect(describePods(description)).toMatch(sentence));

  it.each([
    [{}, /demo planner, which is no language model/],
    [{ BRAVO_MODEL_PROVIDER: 'demo', BRAVO_MODEL_NAME: 'ignored' }, /demo planner/],
    [{ BRAVO_MODEL_PROVIDER: 'openai-compatible', BRAVO_MODEL_NAME: 'qwen3', BRAVO_MODEL_BASE_URL: 'http://user:secret@127.0.0.1:11434/v1' }, /^Model: qwen3 \(openai-compatible at 127\.0\.0\.1:11434\)\.$/],
  ])('of the model: %j', (environment, sentence) => expect(describeModel(environment as Record<string, string>)).toMatch(sentence));
});

describe('what doctor says of programs [sandbox.refuses]', () => {
  const all = { available: true, backend: 'oci', reason: '', languages: ['python', 'bash', 'node'], filesIsolation: 'contained', filesReason: '' };
  it.each([
    [all, false, 'ok', 'contained (python, bash, node)'],
    [{ ...all, languages: ['bash'] }, false, 'limited', 'contained (bash); not python, node: "./bravo logs sandbox-runner" says why'],
    [{ ...all, available: false, reason: 'crun is broken.' }, false, 'broken', 'cannot be run: crun is broken.'],
    [{ ...all, available: false, reason: 'It needs root.' }, true, 'limited', 'cannot be run: It needs root.'],
    [{ failure: 'gone' }, true, 'broken', 'the sandbox did not answer (gone); "./bravo logs sandbox-runner" says more'],
  ])('%j on a machine that lacks something: %s', (asked, lacks, state, detail) =>
    expect(programsFinding(asked, lacks)).toEqual({ check: 'programs', state, detail }));
});
