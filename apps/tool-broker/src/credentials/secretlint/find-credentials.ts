/** Finds credentials in a text: secretlint's recommended rules, and ours for what they miss. Words in the text that ask secretlint to look away change nothing. */
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { FoundCredential } from '../credential.ts';
import { findByOwnRules } from './own-rules.ts';

const PRESET = '@secretlint/secretlint-rule-preset-recommend';
const RULE = '@secretlint/secretlint-rule-';
/** Rules of the preset that find no credential. */
const OTHER = ['filter-comments'];

const CONFIG = {
  rules: [
    {
      id: PRESET,
      rule: creator,
      options: {},
      rules: OTHER.map((name) => ({ id: `${RULE}${name}`, disabled: true })),
    },
  ],
};

const KINDS: Readonly<Record<string, string>> = {
  '1password': 'a 1Password token',
  anthropic: 'an Anthropic key',
  aws: 'an AWS secret',
  basicauth: 'a password in a URL',
  cloudflare: 'a Cloudflare token',
  'database-connection-string': 'a password in a URL',
  databricks: 'a Databricks token',
  docker: 'a Docker registry password',
  figma: 'a Figma token',
  gcp: 'a Google key',
  github: 'a GitHub token',
  gitlab: 'a GitLab token',
  grafana: 'a Grafana token',
  groq: 'a Groq key',
  'hashicorp-vault': 'a Vault token',
  huggingface: 'a Hugging Face token',
  linear: 'a Linear key',
  notion: 'a Notion token',
  npm: 'an npm token',
  openai: 'an OpenAI key',
  privatekey: 'a private key',
  sendgrid: 'a SendGrid key',
  shopify: 'a Shopify token',
  slack: 'a Slack token',
  stripe: 'a Stripe key',
  tailscale: 'a Tailscale key',
  vercel: 'a Vercel token',
};

export const findCredentials = async (text: string): Promise<readonly FoundCredential[]> => {
  const { messages } = await lintSource({
    source: { content: text, filePath: 'text.txt', ext: '.txt', contentType: 'text' },
    options: { config: CONFIG, noPhysicFilePath: true },
  });
  const found = messages.flatMap(({ ruleId, range: [start, end] }): FoundCredential[] => {
    const name = ruleId.startsWith(RULE) ? ruleId.slice(RULE.length) : ruleId;
    if (OTHER.includes(name)) return [];
    return [{ kind: KINDS[name] ?? 'a credential', certainty: 'declared', start, end }];
  });
  return apart([...found, ...findByOwnRules(text)]);
};

/** Of findings that overlap one: what is declared before what is inferred, then the longest. */
const apart = (found: readonly FoundCredential[]): readonly FoundCredential[] => {
  const kept: FoundCredential[] = [];
  const byWeight = [...found].sort(
    (a, b) =>
      Number(b.certainty === 'declared') - Number(a.certainty === 'declared') || b.end - b.start - (a.end - a.start),
  );
  for (const one of byWeight) if (!kept.some(({ start, end }) => one.start < end && start < one.end)) kept.push(one);
  return kept.sort((a, b) => a.start - b.start);
};
