/**
 * What an agent is told of itself: the identity files of its workspace in ZeroClaw's order, or the given prompt where
 * there are none. A file is read when a turn begins, cut at 20,000 characters, and never written.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentConfig } from './read-agents.ts';

const FILES = ['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'IDENTITY.md', 'USER.md', 'MEMORY.md'];
const MAX_CHARACTERS = 20_000;

export function readSystemPrompt({ workspace, systemPrompt }: Pick<AgentConfig, 'workspace' | 'systemPrompt'>): string {
  if (workspace === undefined) return systemPrompt;
  const told = FILES.flatMap((name) => {
    try {
      const text = readFileSync(path.join(workspace, name), 'utf8').trim();
      return text === '' ? [] : [`## ${name}\n\n${text.slice(0, MAX_CHARACTERS)}`];
    } catch {
      return [];
    }
  });
  return told.length === 0 ? systemPrompt : told.join('\n\n');
}
