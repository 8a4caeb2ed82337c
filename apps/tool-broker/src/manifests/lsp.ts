/** Manifest of `lsp`: one question about a symbol to a language server in the conversation's sandbox; a closed list of operations, each of them a read. */
import { MAX_PLACES, OPERATIONS } from '../language-servers/symbol-question.ts';
import { type ToolDefinition, WHY, WORKSPACE_PATH } from './tool-definition.ts';

export const lspTool: ToolDefinition = {
  manifest: {
    name: 'lsp',
    title: 'Ask a language server',
    description:
      `Asks a language server about a symbol: where it is defined, what refers to it, what implements it, what calls it or is called by it. Unlike search it knows which name is meant. ` +
      `Give the path and the position (line and character from 1) of the symbol as a read or a search showed it; workspaceSymbol takes query instead. Up to ${MAX_PLACES} places come back; the text of hover is a reference. ` +
      'TypeScript, JavaScript and Python; a person is asked once per language before its server is started.',
    origin: 'first_party',
    arguments: {
      operation: { class: 'routing', reaches: 'nothing' },
      path: { class: 'routing', reaches: 'source_path' },
      line: { class: 'routing', reaches: 'nothing' },
      character: { class: 'routing', reaches: 'nothing' },
      query: { class: 'routing', reaches: 'nothing' },
      why: { class: 'content' },
    },
    family: 'Read',
    permission: 'view_content',
    effect: 'read',
    external: false,
    confined: true,
    runsCode: false,
    starts: 'nothing',
    // Proven: the language was answered for in this conversation, or nothing would be started.
    defaultGate: 'unless_proven',
    resultLabel: { kind: 'paths' },
    modes: ['ask', 'coworker', 'voice'],
    limits: { timeoutSeconds: 120, maxResultChars: 60_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      operation: { type: 'string', enum: [...OPERATIONS], description: 'What to ask.' },
      path: {
        ...WORKSPACE_PATH,
        description:
          'The file that holds the symbol, for example src/main.ts. For workspaceSymbol: any file of the language to ask.',
      },
      line: { type: 'integer', minimum: 1, maximum: 10_000_000, description: 'Line of the symbol, from 1.' },
      character: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000_000,
        description: 'Where on the line the symbol stands, from 1.',
      },
      query: {
        type: 'string',
        minLength: 1,
        maxLength: 256,
        description: 'For workspaceSymbol: the name to look for, or a part of it.',
      },
      why: WHY,
    },
    required: ['operation'],
    additionalProperties: false,
  },
  example: { operation: 'findReferences', path: 'src/main.ts', line: 12, character: 17 },
};
