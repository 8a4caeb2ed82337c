/** A rule that was left stays left in its conversation and nowhere else, whatever the storage says. */
import { describe, expect, it } from '@jest/globals';
import { type Kept, leaveRule, leftOf, showAgain } from './left-rules.ts';

const RULES = ['Edit(notes/**)', 'Bash(rm *)', 'Read(\ud800)'];

const memory = (at?: string): Kept & { text: string | null } => ({
  text: at ?? null,
  getItem() {
    return this.text;
  },
  setItem(_key, value) {
    this.text = value;
  },
});

describe('rules that were left', () => {
  it('are left after a reload, in their conversation alone', () => {
    const kept = memory();
    leaveRule('cnv_a', RULES[1]!, kept);
    leaveRule('cnv_a', RULES[1]!, kept);
    leaveRule('cnv_a', RULES[2]!, kept);
    expect(leftOf('cnv_a', RULES, kept)).toEqual(RULES.slice(1));
    expect(leftOf('cnv_b', RULES, kept)).toEqual([]);
    expect(leftOf('cnv_a', ['Bash(rm **)'], kept)).toEqual([]);
    showAgain('cnv_a', RULES.slice(0, 2), kept);
    expect(leftOf('cnv_a', RULES, kept)).toEqual([RULES[2]]);
  });

  it('are kept as digests, the latest five hundred of them', () => {
    const kept = memory();
    for (let at = 0; at < 502; at += 1) leaveRule('cnv_a', `Bash(${at})`, kept);
    expect(leftOf('cnv_a', ['Bash(0)', 'Bash(1)', 'Bash(2)', 'Bash(501)'], kept)).toEqual(['Bash(2)', 'Bash(501)']);
    expect(kept.text).not.toContain('Bash');
  });

  it.each(['', '{', 'null', '7', '{"a":1}', '[1,null,{}]'])('are none where the storage holds %j', (text) => {
    const kept = memory(text);
    expect(leftOf('cnv_a', RULES, kept)).toEqual([]);
    leaveRule('cnv_a', RULES[0]!, kept);
    expect(leftOf('cnv_a', RULES, kept)).toEqual([RULES[0]]);
  });

  it('wait again where nothing can be stored', () => {
    const full: Kept = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    };
    leaveRule('cnv_a', RULES[0]!, full);
    expect(leftOf('cnv_a', RULES, full)).toEqual([]);
    leaveRule('cnv_a', RULES[0]!, undefined);
    expect(leftOf('cnv_a', RULES, undefined)).toEqual([]);
  });
});
