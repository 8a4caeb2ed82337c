/** Does all the reading a decision needs. What could not be read is said as `unknown`, which denies; nothing here has a default that allows. */
import { isFault, Fault } from '@bravo/faults';
import {
  type ConfigSnapshot,
  type Facts,
  firstLabel,
  type InputFact,
  type Integrity,
  type JsonObject,
  type JsonValue,
  lookUpTrust,
  type PathFact,
  plannerWords,
  readContext,
  taint,
  type TrustMap,
} from '@bravo/policy';
import type { BoundAgent, Identity } from '../access/agent.ts';
import { type Conversation, type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { parseRef, type SlotStore } from '../slots/slot.ts';
import type { ToolCallRequest } from './tool-call.ts';

export interface Gathered {
  readonly request: ToolCallRequest;
  readonly facts: Facts;
  readonly contentIntegrity: Integrity;
  /** Paths the effect writes. */
  readonly writes: readonly string[];
  /** Sentences about what could not be read, for the agent. */
  readonly problems: readonly string[];
}

export interface FactSources {
  readonly identity: Identity;
  readonly conversations: ConversationStore;
  readonly slots: SlotStore;
  readonly sandbox: Sandbox;
  readonly catalogue: ToolCatalogue;
  readonly now: () => number;
}

export type GatherFacts = (request: ToolCallRequest) => Promise<Gathered>;

/** @throws Fault conversation_ended or not_found where there is no conversation to decide for. */
export const makeGatherFacts =
  (sources: FactSources): GatherFacts =>
  async (request) => {
    const agent = await request.currentAgent();
    const conversation = await findConversation(sources.conversations, agent);
    const definition = sources.catalogue.get(request.tool);
    const [gate, reach] = await Promise.all([
      readGate(sources.identity, agent, conversation),
      reachOf(sources, request, agent),
    ]);
    const context = readContext(conversation.context);
    const words = plannerWords(context);
    const runsCode = definition?.manifest.runsCode === true;
    const facts: Facts = {
      feature: gate.feature,
      config:
        runsCode && gate.codeExec !== true && gate.config !== 'unknown'
          ? { ...gate.config, codeExecEnabled: false }
          : gate.config,
      tool:
        definition === undefined
          ? { kind: 'unknown', name: request.tool }
          : { kind: 'known', manifest: definition.manifest, offered: true },
      principal: { userId: agent.userId, conversationId: agent.conversationId, permissions: agent.permissions },
      mode: conversation.mode,
      context,
      arguments: request.arguments,
      argumentLabels: Object.fromEntries(Object.keys(request.arguments).map((name) => [name, words])),
      resolvedTargets: reach.targets,
      paths: reach.paths,
      inputs: reach.inputs,
      writesThroughReference: request.arguments['contents_ref'] !== undefined,
      assignsEnvironment: assignsEnvironment(request.arguments['env']),
      proven: false,
      // Settings layers get their meaning with the rules engine; until then no layer says anything.
      rules: { deny: [], ask: [], allow: [] },
      grants: [],
      watched: true,
      personCanAnswer: true,
      now: sources.now(),
    };
    const carried =
      reach.inputs === 'unknown'
        ? []
        : reach.inputs.map((input) => (input.label === 'unknown' ? firstLabel({ kind: 'unlabelled' }) : input.label));
    return {
      request: { ...request, agent },
      facts,
      contentIntegrity: taint([words, ...carried]).integrity,
      writes:
        reach.paths === 'unknown' ? [] : reach.paths.filter((path) => path.access === 'write').map((path) => path.path),
      problems: [...gate.problems, ...reach.problems],
    };
  };

const findConversation = async (conversations: ConversationStore, agent: BoundAgent): Promise<Conversation> => {
  const conversation = await conversations.find(agent.conversationId);
  if (conversation === undefined || !isOwnedBy(conversation, agent)) {
    throw new Fault(
      'not_found',
      'The conversation of this agent is not known to the broker, so no tool can be called. Start a new conversation.',
    );
  }
  if (conversation.ended)
    throw new Fault('conversation_ended', 'The conversation has ended, so no tool can be called.');
  return conversation;
};

interface Gate {
  readonly feature: Facts['feature'];
  readonly codeExec: boolean;
  readonly config: ConfigSnapshot | 'unknown';
  readonly problems: readonly string[];
}

/** The policy of the start, and whether the feature and the agent are switched on now. */
const readGate = async (identity: Identity, agent: BoundAgent, conversation: Conversation): Promise<Gate> => {
  try {
    const [features, now] = await Promise.all([
      identity.features(agent.workspaceId),
      identity.agentConfig(agent.workspaceId),
    ]);
    const { config } = conversation;
    return {
      feature: features['bravo'] === true ? 'on' : 'off',
      codeExec: features['code_exec'] === true,
      config: config === 'unknown' ? 'unknown' : { ...config, enabled: config.enabled && now.config.enabled },
      problems: [],
    };
  } catch (error) {
    return { feature: 'unknown', codeExec: false, config: 'unknown', problems: [sentenceOf(error)] };
  }
};

interface Reach {
  readonly targets: JsonObject;
  readonly paths: readonly PathFact[] | 'unknown';
  readonly inputs: readonly InputFact[] | 'unknown';
  readonly problems: readonly string[];
}

/** Where the call lands and what goes into it. */
const reachOf = async (
  sources: FactSources,
  { tool, arguments: given }: ToolCallRequest,
  agent: BoundAgent,
): Promise<Reach> => {
  if (!sources.catalogue.has(tool)) return { targets: {}, paths: [], inputs: [], problems: [] };
  try {
    const trust = await sources.conversations.trustMap(agent.conversationId);
    const look = (path: string, access: PathFact['access']) => lookAt(sources.sandbox, agent, trust, path, access);
    const targets: Record<string, JsonValue> = {};
    const paths: PathFact[] = [];
    const inputs: InputFact[] = [];
    if (typeof given['path'] === 'string') {
      const fact = await look(given['path'], tool === 'write_file' ? 'write' : 'read');
      targets['path'] = fact.path;
      paths.push(fact);
    }
    if (tool === 'list_files') {
      targets['directory'] =
        typeof given['directory'] === 'string' ? (await sources.sandbox.stat(agent, given['directory'])).landing : '';
    }
    if (Array.isArray(given['files'])) {
      const landings: [string, string][] = [];
      for (const path of new Set(given['files'] as string[])) {
        const fact = await look(path, 'read');
        if (fact.revision === null)
          throw new Fault(
            'not_found',
            'A file that should go into the program does not exist. Use list_files to see what is there.',
          );
        landings.push([path, fact.path]);
        paths.push(fact);
        inputs.push({
          name: fact.path,
          label: firstLabel({ kind: 'workspace_file', trust: fact.trust as Exclude<PathFact['trust'], 'unknown'> }),
        });
      }
      targets['files'] = Object.fromEntries(landings);
    }
    if (typeof given['contents_ref'] === 'string') {
      const number = parseRef(given['contents_ref']);
      const [slot] = number === undefined ? [] : await sources.slots.refs(agent.conversationId, [number]);
      if (slot === undefined) throw new Fault('not_found', 'There is no such reference in this conversation.');
      targets['contents_ref'] = slot.number;
      inputs.push({ name: given['contents_ref'], label: slot.label });
    }
    return { targets, paths, inputs, problems: [] };
  } catch (error) {
    return { targets: {}, paths: 'unknown', inputs: 'unknown', problems: [sentenceOf(error)] };
  }
};

const lookAt = async (
  sandbox: Sandbox,
  agent: BoundAgent,
  trust: TrustMap,
  path: string,
  access: PathFact['access'],
): Promise<PathFact> => {
  const facts = await sandbox.stat(agent, path);
  const landing = facts.landing === '' ? path : facts.landing;
  return { path: landing, access, trust: lookUpTrust(trust, landing), revision: facts.exists ? facts.revision : null };
};

const assignsEnvironment = (env: JsonValue | undefined): boolean =>
  typeof env === 'object' && env !== null && Object.keys(env).length > 0;

const sentenceOf = (error: unknown): string =>
  isFault(error) && error.row.public ? error.detail : 'Something the decision needs could not be read.';
