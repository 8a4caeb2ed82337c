/** Skills and agent definitions among a conversation's files. Guarantees that only plain text files in their one place are read, and none that a rule denies reading; what of them may hold is decided elsewhere. */
import { createHash } from 'node:crypto';
import { type DefinitionKind, isDefinitionName, MAX_DEFINITION_CHARS } from '@bravo/policy';
import type { OnBehalfOf, Sandbox } from '../sandbox/sandbox.ts';
import type { FoundText } from './definition.ts';

export interface RepositoryDefinitionParts {
  readonly sandbox: Pick<Sandbox, 'stat' | 'read' | 'list'>;
  readonly isReadDenied: (conversationId: string, paths: readonly string[]) => Promise<readonly boolean[]>;
}

/** Where the one of this name would lie, from the root of the files. */
export const placeOf = (kind: DefinitionKind, name: string): string =>
  kind === 'skill' ? `.bravo/skills/${name}/SKILL.md` : `.bravo/agents/${name}.md`;

const PLACES = [
  { kind: 'skill', directory: '.bravo/skills', shape: /^\.bravo\/skills\/([^/]+)\/SKILL\.md$/ },
  { kind: 'agent', directory: '.bravo/agents', shape: /^\.bravo\/agents\/([^/]+)\.md$/ },
] as const;

const MOST_ENTRIES = 500;
/** As many as are read for one listing. */
export const MOST_FOUND = 50;
const MAX_BYTES = 4 * MAX_DEFINITION_CHARS;

export interface RepositoryDefinitions {
  /** Undefined where there is none that can be read. */
  find(who: OnBehalfOf, kind: DefinitionKind, name: string): Promise<FoundText | undefined>;
  list(who: OnBehalfOf): Promise<readonly FoundText[]>;
}

export const createRepositoryDefinitions = ({
  sandbox,
  isReadDenied,
}: RepositoryDefinitionParts): RepositoryDefinitions => {
  const find = async (who: OnBehalfOf, kind: DefinitionKind, name: string): Promise<FoundText | undefined> => {
    if (!isDefinitionName(name)) return undefined;
    const path = placeOf(kind, name);
    const { exists, kind: what, landing, size } = await sandbox.stat(who, path);
    // A link may lead to words of another file.
    if (!exists || what !== 'file' || (landing !== '' && landing !== path) || size > MAX_BYTES) return undefined;
    const [denied] = await isReadDenied(who.conversationId, [path]);
    if (denied !== false) return undefined;
    const { content, truncated, facts } = await sandbox.read(who, path, MAX_BYTES);
    const text = decode(content);
    if (truncated || text === undefined || (facts.landing !== '' && facts.landing !== path)) return undefined;
    return { kind, level: 'repository', name, text, digest: createHash('sha256').update(text).digest('hex') };
  };
  return {
    find,
    list: async (who) => {
      const names = await Promise.all(
        PLACES.map(async ({ kind, directory, shape }) => {
          const at = await sandbox.stat(who, directory);
          if (!at.exists || at.kind !== 'directory') return [];
          const { entries } = await sandbox.list(who, directory, 2, MOST_ENTRIES);
          return entries.flatMap((entry) => {
            const name = entry.kind === 'file' ? shape.exec(entry.path)?.[1] : undefined;
            return name === undefined ? [] : [{ kind, name }];
          });
        }),
      );
      const wanted = names.flat().slice(0, MOST_FOUND);
      const found = await Promise.all(wanted.map(({ kind, name }) => find(who, kind, name)));
      return found.filter((one) => one !== undefined);
    },
  };
};

const decode = (content: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
};
