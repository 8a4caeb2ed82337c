/** Does all the reading a decision needs. What could not be read is said as `unknown`, which denies; nothing here has a default that allows. */
import { Fault } from '@bravo/faults';
import {
  type CompiledRules,
  type ConfigSnapshot,
  type Facts,
  firstLabel,
  type Integrity,
  type JsonObject,
  type Label,
  plannerWords,
  questionDigest,
  readContext,
  readQuestions,
  taint,
  type ToolManifest,
} from '@bravo/policy';
import type { Answers } from '../answers/answer.ts';
import type { BoundAgent, Identity } from '../access/agent.ts';
import type { CredentialScanner } from '../credentials/credential.ts';
import { findGivenCredentials } from '../credentials/given-credentials.ts';
import type { HeldCredential } from '../credentials/hold-credentials.ts';
import type { LiveGrants } from '../grants/grant.ts';
import { type Conversation, type ConversationStore, holdsTool, isOwnedBy } from '../conversations/conversation.ts';
import type { LanguageOfFile } from '../language-servers/language-consent.ts';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import { judgeByRules } from '../rules/judge-by-rules.ts';
import { judgeReadDenials } from '../rules/read-denials.ts';
import type { ReadLayers } from '../rules/layers-of-now.ts';
import type { RulesOf } from '../rules/stored-layers.ts';
import type { IsOfferedInTurn } from '../schedules/offer-in-turn.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlotStore } from '../slots/slot.ts';
import { type ReachSources, resolveReach, sentenceOf } from './resolve-reach.ts';
import type { ToolCallRequest } from './tool-call.ts';

export interface Gathered extends GatheredFacts {
  readonly request: ToolCallRequest;
  /** What a read would show and nobody was asked about yet. */
  readonly held?: readonly HeldCredential[];
}

export interface GatheredFacts {
  readonly facts: Facts;
  readonly contentIntegrity: Integrity;
  /** Paths the effect writes. */
  readonly writes: readonly string[];
  /** The arguments without the credentials in them, for the record of a call that is refused; undefined where they hold none. */
  readonly masked: JsonObject | undefined;
  /** Sentences about what could not be read, for the agent. */
  readonly problems: readonly string[];
}

export interface FactSources {
  readonly identity: Identity;
  readonly conversations: Pick<ConversationStore, 'find' | 'trustMap'>;
  readonly slots: Pick<SlotStore, 'refs'>;
  readonly sandbox: Pick<Sandbox, 'stat' | 'list' | 'programs'>;
  readonly catalogue: ToolCatalogue;
  readonly rulesOf: RulesOf;
  readonly readLayers: ReadLayers;
  readonly grants: LiveGrants;
  readonly answers: Pick<Answers, 'areTold'>;
  readonly isOfferedInTurn: IsOfferedInTurn;
  readonly credentials: CredentialScanner;
  readonly languages?: LanguageOfFile;
  readonly now: () => number;
}

export type GatherFacts = (request: ToolCallRequest) => Promise<Gathered>;

/** @throws Fault conversation_ended or not_found where there is no conversation to decide for. */
export const createGatherFacts =
  (sources: FactSources): GatherFacts =>
  async (request) => {
    const agent = await request.currentAgent();
    const conversation = await findConversation(sources.conversations, agent);
    return { request: { ...request, agent }, ...(await gatherFactsOf(sources, request, agent, conversation)) };
  };

/** Facts of a call in this conversation, whether or not anybody makes it. It only reads. */
export const gatherFactsOf = async (
  sources: Omit<FactSources, 'conversations'> & { readonly conversations: Pick<ConversationStore, 'trustMap'> },
  request: Pick<ToolCallRequest, 'tool' | 'arguments'>,
  agent: BoundAgent,
  conversation: Conversation,
): Promise<GatheredFacts> => {
  const definition = sources.catalogue.get(request.tool);
  const reading = readGate(sources.identity, agent, conversation);
  const ruling = reading.then(({ config }) => readRules(sources, config, conversation, agent));
  // Without rules the call is denied whatever its patterns match.
  const isReadDenied: ReachSources['isReadDenied'] = async (_agent, paths) => {
    const { rules } = await ruling;
    return rules === 'unknown' ? paths.map(() => false) : judgeReadDenials(rules, paths);
  };
  const [gate, grants, { rules, config, problems: unread }, reach, answeredBefore, offered, credentials] =
    await Promise.all([
      reading,
      readGrants(sources, conversation),
      ruling,
      resolveReach({ ...sources, isReadDenied }, definition?.manifest, request.arguments, agent),
      isAnsweredBefore(sources, definition?.manifest, request.arguments, conversation),
      // What cannot be read offers nothing.
      sources.isOfferedInTurn(request.tool, conversation.id).catch(() => false),
      findGivenCredentials(sources.credentials, definition?.manifest, request.arguments),
    ]);
  const context = readContext(conversation.context);
  const words = plannerWords(context);
  const runsCode = definition?.manifest.runsCode === true;
  const facts: Facts = {
    feature: gate.feature,
    config: runsCode && gate.codeExec !== true && config !== 'unknown' ? { ...config, codeExecEnabled: false } : config,
    tool:
      definition === undefined
        ? { kind: 'unknown', name: request.tool }
        : { kind: 'known', manifest: definition.manifest, offered: offered && holdsTool(conversation, request.tool) },
    principal: { userId: agent.userId, conversationId: agent.conversationId, permissions: agent.permissions },
    mode: conversation.mode,
    context,
    arguments: request.arguments,
    argumentLabels: Object.fromEntries(Object.keys(request.arguments).map((name) => [name, words])),
    resolvedTargets: reach.targets,
    paths: reach.paths,
    inputs: withInstruction(reach.inputs, definition?.manifest, words),
    writesThroughReference: reach.writesThroughReference,
    credentials: credentials.facts,
    assignsEnvironment: reach.assignsEnvironment,
    proven: reach.proven,
    rules:
      rules === 'unknown'
        ? 'unknown'
        : judgeByRules(rules, definition?.manifest, reach.visits, conversation.attended, reach.command),
    grants: grants.live,
    watched: conversation.attended,
    // What waits in an inbox may be answered later; what only asks is declined where nobody looks on.
    personCanAnswer: definition?.manifest.resultLabel.kind !== 'answered' || conversation.attended,
    answeredBefore,
    now: sources.now(),
  };
  const carried =
    reach.inputs === 'unknown'
      ? []
      : reach.inputs.map((input) => (input.label === 'unknown' ? firstLabel({ kind: 'unlabelled' }) : input.label));
  return {
    facts,
    contentIntegrity: taint([words, ...carried]).integrity,
    writes:
      reach.paths === 'unknown' ? [] : reach.paths.filter((path) => path.access === 'write').map((path) => path.path),
    masked: credentials.masked,
    problems: [...gate.problems, ...unread, ...reach.problems, ...grants.problems],
  };
};

/** What is made of the inputs is made of the words that say what to make, too; an answer is as private as its question. */
const withInstruction = (inputs: Facts['inputs'], manifest: ToolManifest | undefined, words: Label): Facts['inputs'] =>
  !['taint', 'answered'].includes(manifest?.resultLabel.kind ?? '') || inputs === 'unknown'
    ? inputs
    : [...inputs, { name: 'instruction', label: words }];

/** Answers that cannot be read are asked for again. */
const isAnsweredBefore = async (
  { answers }: Pick<FactSources, 'answers'>,
  manifest: ToolManifest | undefined,
  given: ToolCallRequest['arguments'],
  { id }: Conversation,
): Promise<boolean> => {
  if (manifest?.resultLabel.kind !== 'answered') return false;
  const digests = readQuestions(given['questions']).map(questionDigest);
  return answers.areTold(id, digests).catch(() => false);
};

const findConversation = async (
  conversations: Pick<ConversationStore, 'find'>,
  agent: BoundAgent,
): Promise<Conversation> => {
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

/** Grants that cannot be read refuse every call: which of them would have been revoked nobody knows. */
const readGrants = async (
  { grants, now }: Pick<FactSources, 'grants' | 'now'>,
  { id }: Conversation,
): Promise<{ live: Facts['grants']; problems: readonly string[] }> => {
  try {
    return { live: await grants.live(id, now()), problems: [] };
  } catch {
    return {
      live: 'unknown',
      problems: ['The grants of this conversation cannot be read, so nothing is let through.'],
    };
  }
};

/** The rules of every layer, and the configuration under the version that names them all. */
const readRules = async (
  { rulesOf, readLayers }: Pick<FactSources, 'rulesOf' | 'readLayers'>,
  config: ConfigSnapshot | 'unknown',
  conversation: Conversation,
  agent: BoundAgent,
): Promise<{
  rules: CompiledRules | 'unknown';
  config: ConfigSnapshot | 'unknown';
  problems: readonly string[];
}> => {
  if (config === 'unknown') return { rules: 'unknown', config, problems: [] };
  const { layers, policyVersion, problems } = await readLayers(conversation, agent, config.policyVersion);
  return { rules: rulesOf(policyVersion, layers), config: { ...config, policyVersion }, problems };
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
