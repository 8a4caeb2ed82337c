/** What can be asked of a language server, and how its answer is read. Every operation is a read; an answer is another program's words, so what does not fit is left out and counted, and no shape of it throws. */
import { z } from 'zod';

/** Closed: a server has methods of its own, one of which applies edits. */
export const OPERATIONS = [
  'goToDefinition',
  'findReferences',
  'hover',
  'documentSymbol',
  'workspaceSymbol',
  'goToImplementation',
  'incomingCalls',
  'outgoingCalls',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export const MAX_PLACES = 200;

export interface SymbolQuestion {
  readonly operation: Operation;
  /** Workspace-relative; absent for `workspaceSymbol` where it names no language. */
  readonly path: string | undefined;
  /** Counted from 1. */
  readonly line: number;
  readonly character: number;
  readonly query: string;
}

/** A path, a position and a kind: there is nowhere in it for prose to sit. */
export interface Place {
  readonly uri: string;
  readonly line: number;
  readonly character: number;
  /** Of a closed list; '' where the server named none. */
  readonly kind: string;
}

export interface SymbolAnswer {
  readonly places: readonly Place[];
  /** Of a hover. */
  readonly text: string;
  readonly more: boolean;
  /** Parts that had no shape of the protocol. */
  readonly unreadable: number;
}

/** Sends one request of the protocol. */
export type Ask = (method: string, params: object) => Promise<unknown>;

const METHODS = {
  goToDefinition: 'textDocument/definition',
  findReferences: 'textDocument/references',
  goToImplementation: 'textDocument/implementation',
} as const;

const CALLS = {
  incomingCalls: ['callHierarchy/incomingCalls', 'from'],
  outgoingCalls: ['callHierarchy/outgoingCalls', 'to'],
} as const;

const MAX_HOVER_CHARS = 64 * 1024;
/** Of the symbols a position stands for, and of the layers of symbols inside of each other. */
const MAX_ITEMS = 8;
const MAX_VISITED = 20_000;

export const askSymbol = async (ask: Ask, question: SymbolQuestion, uri: string): Promise<SymbolAnswer> => {
  const textDocument = { uri };
  const at = { textDocument, position: { line: question.line - 1, character: question.character - 1 } };
  switch (question.operation) {
    case 'goToDefinition':
    case 'goToImplementation':
      return readPlaces(await ask(METHODS[question.operation], at));
    case 'findReferences':
      return readPlaces(await ask(METHODS.findReferences, { ...at, context: { includeDeclaration: true } }));
    case 'hover':
      return readHover(await ask('textDocument/hover', at));
    case 'documentSymbol':
      return readPlaces(await ask('textDocument/documentSymbol', { textDocument }), uri);
    case 'workspaceSymbol':
      return readPlaces(await ask('workspace/symbol', { query: question.query }));
    case 'incomingCalls':
    case 'outgoingCalls': {
      const [method, side] = CALLS[question.operation];
      const items = listOf(await ask('textDocument/prepareCallHierarchy', at)).slice(0, MAX_ITEMS);
      const found: unknown[] = [];
      for (const item of items) {
        for (const call of listOf(await ask(method, { item })))
          found.push((call as Readonly<Record<string, unknown>> | null)?.[side] ?? null);
      }
      return readPlaces(found);
    }
  }
};

const position = z.object({ line: z.int().min(0).max(10_000_000), character: z.int().min(0).max(10_000_000) });
const range = z.object({ start: position });
const kind = z.int().min(1).max(26).optional().catch(undefined);
const uri = z.string().min(1).max(8_192);
/** Every way the protocol has of saying where something is. */
const located = z.union([
  z.object({ targetUri: uri, targetSelectionRange: range }).transform((of) => ({
    uri: of.targetUri,
    start: of.targetSelectionRange.start,
    kind: undefined as number | undefined,
  })),
  z.object({ location: z.object({ uri, range }), kind }).transform((of) => ({
    uri: of.location.uri,
    start: of.location.range.start,
    kind: of.kind,
  })),
  z.object({ uri, selectionRange: range, kind }).transform((of) => ({
    uri: of.uri,
    start: of.selectionRange.start,
    kind: of.kind,
  })),
  z.object({ uri, range }).transform((of) => ({
    uri: of.uri,
    start: of.range.start,
    kind: undefined as number | undefined,
  })),
]);
const symbolOfDocument = z.object({ selectionRange: range, kind });

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];

/** @param of the document whose symbols have no address of their own. */
const readPlaces = (value: unknown, of?: string): SymbolAnswer => {
  const places: Place[] = [];
  const seen = new Set<string>();
  let unreadable = 0;
  let more = false;
  let visited = 0;
  const waiting: unknown[] = [...listOf(value)].reverse();
  while (waiting.length > 0) {
    const next = waiting.pop();
    visited += 1;
    if (places.length >= MAX_PLACES || visited > MAX_VISITED) {
      more = true;
      break;
    }
    const place = readPlace(next, of);
    if (place === undefined) {
      unreadable += 1;
      continue;
    }
    const name = JSON.stringify(place);
    if (!seen.has(name)) places.push(place);
    seen.add(name);
    const { children } = next as { children?: unknown };
    if (of !== undefined && Array.isArray(children)) waiting.push(...children.slice(0, MAX_VISITED).reverse());
  }
  return { places, text: '', more, unreadable };
};

const readPlace = (value: unknown, of: string | undefined): Place | undefined => {
  const whole = located.safeParse(value);
  if (whole.success) return placeOf(whole.data);
  const symbol = of === undefined ? undefined : symbolOfDocument.safeParse(value);
  return of !== undefined && symbol?.success === true
    ? placeOf({ uri: of, start: symbol.data.selectionRange.start, kind: symbol.data.kind })
    : undefined;
};

const placeOf = (of: { uri: string; start: { line: number; character: number }; kind: number | undefined }): Place => ({
  uri: of.uri,
  line: of.start.line + 1,
  character: of.start.character + 1,
  kind: of.kind === undefined ? '' : (KINDS[of.kind - 1] ?? ''),
});

const marked = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]);
const hover = z.object({ contents: z.union([marked.transform((text) => [text]), z.array(marked)]) });

const readHover = (value: unknown): SymbolAnswer => {
  const nothing = { places: [], text: '', more: false, unreadable: 0 };
  if (value === null || value === undefined) return nothing;
  const read = hover.safeParse(value);
  if (!read.success) return { ...nothing, unreadable: 1 };
  const text = read.data.contents.join('\n\n');
  return { ...nothing, text: text.slice(0, MAX_HOVER_CHARS), more: text.length > MAX_HOVER_CHARS };
};

/** `SymbolKind` of the protocol, from 1. */
const KINDS = [
  ...['file', 'module', 'namespace', 'package', 'class', 'method', 'property', 'field', 'constructor', 'enum'],
  ...['interface', 'function', 'variable', 'constant', 'string', 'number', 'boolean', 'array', 'object', 'key'],
  ...['null', 'enum member', 'struct', 'event', 'operator', 'type parameter'],
];
