/** Skills and agent definitions as identity answers for them. For specs only. */
import { readDefinition } from '@bravo/policy';

export interface KeptText {
  readonly kind: 'skill' | 'agent';
  readonly layer: 'workspace' | 'user';
  readonly workspaceId: string;
  readonly userId: string;
  readonly name: string;
  readonly text: string;
}

export const listKept =
  (state: { readonly definitions: readonly KeptText[] }) =>
  async (asked: { workspaceId: string; userId: string; kind: string; name: string }) => ({
    definitions: state.definitions
      .filter(
        ({ workspaceId, userId, kind, name }) =>
          workspaceId === asked.workspaceId &&
          ['', asked.userId].includes(userId) &&
          ['', kind].includes(asked.kind) &&
          ['', name].includes(asked.name),
      )
      .map(({ kind, layer, name, text }) => {
        const read = readDefinition(kind, text);
        const description = read.ok ? read.definition.description : '';
        return {
          ...{ kind, layer, name, description, version: 1, digest: '', bytes: text.length },
          text: asked.name === '' ? '' : text,
        };
      }),
  });

export const skillText = (name: string, body = 'Say please.', description = `About ${name}`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

export const agentText = (name: string, more: string, body = 'Look closely.'): string =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}\n---\n${body}\n`;
