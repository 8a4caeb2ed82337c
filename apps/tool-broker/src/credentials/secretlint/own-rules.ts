/** Shapes of credentials that the preset does not know. Every pattern is linear: repeats are bounded or followed by what they cannot match. */
import type { FoundCredential } from '../credential.ts';

interface Shape {
  readonly kind: string;
  readonly certainty: FoundCredential['certainty'];
  /** Global; where it has a group, the group is the credential. */
  readonly pattern: RegExp;
  /** Further than the pattern: whether a match counts. */
  readonly counts?: (match: string) => boolean;
}

const SHAPES: readonly Shape[] = [
  { kind: 'a token of this platform', certainty: 'declared', pattern: /\bbwt_(?:bravo_)?[0-9a-f]{32,64}\b/g },
  {
    kind: 'a private key',
    certainty: 'declared',
    pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  { kind: 'an age secret key', certainty: 'declared', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{50,70}\b/g },
  {
    kind: 'an OpenAI key',
    certainty: 'declared',
    pattern: /\bsk-(?:proj|svcacct|admin|None)-[\w-]{20,200}/g,
  },
  { kind: 'an Anthropic key', certainty: 'declared', pattern: /\bsk-ant-[a-z]{2,10}[0-9]{2}-[\w-]{20,200}/g },
  { kind: 'an OpenRouter key', certainty: 'declared', pattern: /\bsk-or-v1-[0-9a-f]{32,64}\b/g },
  { kind: 'an AWS access key', certainty: 'declared', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g },
  { kind: 'a Google API key', certainty: 'declared', pattern: /\bAIza[\w-]{35}(?![\w-])/g },
  { kind: 'a Google OAuth secret', certainty: 'declared', pattern: /\bGOCSPX-[\w-]{28}(?![\w-])/g },
  {
    kind: 'a GitHub token',
    certainty: 'declared',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})\b/g,
  },
  {
    kind: 'a GitLab token',
    certainty: 'declared',
    pattern: /\bgl(?:pat|ptt|dt|rt|cbt|soat|ft)-[\w-]{20,64}(?![\w-])/g,
  },
  { kind: 'a Slack token', certainty: 'declared', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}/g },
  {
    kind: 'a Slack web hook',
    certainty: 'declared',
    pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/+]{20,100}/g,
  },
  { kind: 'a Stripe key', certainty: 'declared', pattern: /\b(?:sk|rk)_live_[A-Za-z0-9]{16,247}\b/g },
  { kind: 'a SendGrid key', certainty: 'declared', pattern: /\bSG\.[\w-]{16,32}\.[\w-]{16,64}(?![\w-])/g },
  { kind: 'an npm token', certainty: 'declared', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'a PyPI token', certainty: 'declared', pattern: /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,1000}/g },
  { kind: 'a Hugging Face token', certainty: 'declared', pattern: /\bhf_[A-Za-z0-9]{30,64}\b/g },
  { kind: 'a DigitalOcean token', certainty: 'declared', pattern: /\bdo[opr]_v1_[0-9a-f]{64}\b/g },
  { kind: 'a Databricks token', certainty: 'declared', pattern: /\bdapi[0-9a-f]{32}\b/g },
  { kind: 'a Vault token', certainty: 'declared', pattern: /\bhv[sb]\.[\w-]{24,200}/g },
  { kind: 'an Azure storage key', certainty: 'declared', pattern: /\bAccountKey=([A-Za-z0-9+/]{80,90}={1,2})/g },
  {
    kind: 'a password in a URL',
    certainty: 'declared',
    // The host begins after the last @ before the path.
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'\\/?#:@]{0,100}:([^\s"'\\/?#@]{3,200})@[A-Za-z0-9[]/gi,
    counts: (password) => !isPlaceholder(password),
  },
  {
    kind: 'a signed web token',
    certainty: 'inferred',
    pattern: /\beyJ[\w-]{12,2000}\.eyJ[\w-]{12,4000}\.[\w-]{16,1000}/g,
  },
  {
    kind: 'a value that is called a secret',
    certainty: 'inferred',
    pattern:
      /(?:passw(?:or)?d|passphrase|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key)["']?\s{0,5}(?:=>|:=|[:=])\s{0,5}["'`]?([A-Za-z0-9+/=_~.!@#$%^&*-]{16,200})/gi,
    counts: (value) => !isPlaceholder(value) && looksRandom(value),
  },
];

/** @returns findings in no order, some over others. */
export const findByOwnRules = (text: string): readonly FoundCredential[] =>
  SHAPES.flatMap(({ kind, certainty, pattern, counts = () => true }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const value = match[1] ?? match[0];
      const start = match.index + (match[1] === undefined ? 0 : match[0].lastIndexOf(value));
      return counts(value) ? [{ kind, certainty, start, end: start + value.length }] : [];
    }),
  );

/** Written where a secret would stand, in documents and templates. */
const isPlaceholder = (value: string): boolean =>
  /^(?:<.*|\$\{?[\w.]+.*|\{\{?.*|%[\w(]+.*|\[.*|\*+|x{3,}|\.{3,}|pass(?:word|wd)?|secret|changeme|example|redacted|hunter2|user|none|null)$/i.test(
    value,
  ) || /(?:example|placeholder|changeme|your[_-]|dummy|redacted)/i.test(value);

/** Letters and digits, hardly any of them twice, and no word of code or path. */
const looksRandom = (value: string): boolean =>
  /[A-Za-z]/.test(value) &&
  /[0-9]/.test(value) &&
  !/^(?:process|os|env|config|settings|this|self|import|require)\./i.test(value) &&
  !/^(?:\.{0,2}\/|[a-z]:\\)/i.test(value) &&
  entropyOf(value) >= 3.3;

/** Bits per character. */
const entropyOf = (value: string): number => {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => {
    const share = count / value.length;
    return sum - share * Math.log2(share);
  }, 0);
};
