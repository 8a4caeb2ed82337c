/** Wires the gateway: one controller per area over the use cases, behind the one guard. */
import { HealthModule, type Logger, type Readiness } from '@bravo/chassis';
import type { Bus } from '@bravo/events';
import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { createAgentConfigStore } from './agent-configs/agent-configs.client.ts';
import { AGENT_CONFIG_STORE, AgentConfigsController, PUT_CONFIG_USE } from './agent-configs/agent-configs.http.ts';
import { createPutConfig } from './agent-configs/put-config.ts';
import { ListApprovalsController } from './approvals/list-approvals.http.ts';
import { ResolveApprovalController } from './approvals/resolve-approval.http.ts';
import { createAdmitRequest } from './callers/admit-request.ts';
import type { IdentityClient } from './callers/caller-directory.client.ts';
import { ADMIT_REQUEST, CallerGuard } from './callers/caller-guard.http.ts';
import type { CallerDirectory } from './callers/caller.ts';
import { ownOriginsOf } from './callers/request-credential.ts';
import { createOrchestrator, type OrchestratorClient } from './conversations/agent-orchestrator.client.ts';
import { ConversationsController, ORCHESTRATOR, READ_CONVERSATION } from './conversations/conversations.http.ts';
import { createReadConversation } from './conversations/read-conversation.ts';
import { createDefinitions } from './definitions/definitions.client.ts';
import { DEFINITIONS, DefinitionsController } from './definitions/definitions.http.ts';
import { createDiagnose } from './diagnoses/diagnose-settings.ts';
import { DIAGNOSE, DoctorController } from './diagnoses/doctor.http.ts';
import { createFoundSecrets } from './diagnoses/found-secrets.client.ts';
import { buildOpenApiDocument } from './documents/openapi-document.ts';
import { OPENAPI_DOCUMENT, OpenApiController } from './documents/openapi.http.ts';
import { ExplainCallController } from './explanations/explain-call.http.ts';
import { createFeatureOverrides } from './features/feature-overrides.client.ts';
import { FEATURE_OVERRIDES, FeatureOverridesController } from './features/feature-overrides.http.ts';
import { createFiles } from './files/files.client.ts';
import { FilesController } from './files/files.http.ts';
import { FILES } from './files/files.ts';
import { createGrants } from './grants/grants.client.ts';
import { DelegatesController } from './delegates/delegates.http.ts';
import { GrantsController } from './grants/grants.http.ts';
import { GRANTS } from './grants/grants.ts';
import { createSchedules } from './schedules/schedules.client.ts';
import { SchedulesController } from './schedules/schedules.http.ts';
import { SCHEDULES } from './schedules/schedules.ts';
import { InstructionsController, READ_TOLD } from './instructions/instructions.http.ts';
import { createReadTold } from './instructions/read-told.ts';
import { createTold } from './instructions/told.client.ts';
import { createMembers } from './members/members.client.ts';
import { MEMBERS, MembersController } from './members/members.http.ts';
import { FOLLOW_CONVERSATION, MessagesController, STREAM_OPTIONS } from './messages/messages.http.ts';
import { POST_MESSAGE_USE, PostMessageController } from './messages/post-message.http.ts';
import { createPostMessage } from './messages/post-message.ts';
import { createChooseModel } from './models/choose-model.ts';
import { createModels } from './models/models.client.ts';
import { CHOOSE_MODEL_USE, ModelsController } from './models/models.http.ts';
import { type AutomationClient, createNotifications } from './notifications/notifications.client.ts';
import { NOTIFICATIONS, NotificationsController } from './notifications/notifications.http.ts';
import { APPROVE_USE, createApproveCall } from './approvals/approve-call.ts';
import { createTrustOffers } from './trust-offers/trust-offers.client.ts';
import { TrustOffersController } from './trust-offers/trust-offers.http.ts';
import { TRUST_OFFERS } from './trust-offers/trust-offers.ts';
import { createRepositories } from './repositories/repositories.client.ts';
import { RepositoriesController } from './repositories/repositories.http.ts';
import { REPOSITORIES } from './repositories/repositories.ts';
import type { Route } from './routes/route.ts';
import { routeOf } from './routes/serve.http.ts';
import { createLocalIssuer } from './sessions/local-issuer.client.ts';
import { LOCAL_ISSUER, SESSION_OPTIONS, SessionsController } from './sessions/sessions.http.ts';
import { createSecrets } from './secrets/secrets.client.ts';
import { SECRETS, SecretsController } from './secrets/secrets.http.ts';
import { createPutSettings } from './settings/put-settings.ts';
import { createSettingsStore } from './settings/settings.client.ts';
import { PUT_SETTINGS_USE, SETTINGS_STORE, SettingsController } from './settings/settings.http.ts';
import { BROKER } from './tool-calls/broker.ts';
import { type BrokerClient, createBroker } from './tool-calls/tool-broker.client.ts';
import { ToolCallsController } from './tool-calls/tool-calls.http.ts';
import { ListToolsController } from './tools/list-tools.http.ts';
import { type AuditClient, createTrail } from './trails/audit.client.ts';
import { createDestinations } from './trails/destinations.client.ts';
import { DESTINATIONS, DestinationsController } from './trails/destinations.http.ts';
import { createTrailKeeping } from './trails/trail-keeping.client.ts';
import { TRAIL_KEEPING, TrailKeepingController } from './trails/trail-keeping.http.ts';
import { createReadTrail } from './trails/read-trail.ts';
import { READ_TRAIL, TRAIL, TrailsController } from './trails/trails.http.ts';
import { createFollowConversation } from './turn-streams/follow-conversation.ts';
import { shareTurnLog } from './turn-streams/share-turn-log.ts';
import { createTurnLog } from './turn-streams/turn-log.client.ts';
import { createTokenLedger, type ModelsClient } from './usage/model-gateway.client.ts';
import { createSumUsage } from './usage/sum-usage.ts';
import { SUM_USAGE, UsageController } from './usage/usage.http.ts';
import type { WebFile } from './web-pages/web-page.ts';
import { WEB_FILES, WebPagesController } from './web-pages/web-pages.http.ts';

export interface GatewayParts {
  readonly identity: IdentityClient;
  readonly orchestrator: OrchestratorClient;
  readonly broker: BrokerClient;
  readonly models: ModelsClient;
  readonly audit: AuditClient;
  readonly automation: AutomationClient;
  readonly directory: CallerDirectory;
  readonly bus: Pick<Bus, 'bounds' | 'lastSequence' | 'read'>;
  readonly readiness: Readiness;
  readonly publicUrl: string;
  readonly heartbeatMs: number;
  readonly warnings: readonly string[];
  readonly webFiles: ReadonlyMap<string, WebFile>;
  readonly logger: Logger;
}

/** How often a followed turn is looked at beside the stream. */
const LOOK_MS = 2_000;

const API: readonly Type[] = [
  SessionsController,
  ConversationsController,
  MessagesController,
  PostMessageController,
  ListToolsController,
  ToolCallsController,
  ListApprovalsController,
  ResolveApprovalController,
  DelegatesController,
  GrantsController,
  SchedulesController,
  AgentConfigsController,
  SettingsController,
  SecretsController,
  DefinitionsController,
  TrustOffersController,
  RepositoriesController,
  FilesController,
  DoctorController,
  ExplainCallController,
  UsageController,
  ModelsController,
  InstructionsController,
  MembersController,
  FeatureOverridesController,
  TrailsController,
  TrailKeepingController,
  DestinationsController,
  NotificationsController,
];

/** Every route of the API, read off the controllers that serve them: what is not served cannot be documented. */
export const servedRoutes = (): Route[] =>
  API.flatMap((controller) => {
    const methods = Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object));
    return methods.flatMap(({ value }) => (typeof value === 'function' ? [routeOf(value as object)] : []));
  }).filter((route) => route !== undefined);

@Module({})
export class GatewayModule {
  static with(parts: GatewayParts): DynamicModule {
    const { directory, publicUrl, identity } = parts;
    const orchestrator = createOrchestrator(parts.orchestrator);
    const broker = createBroker(parts.broker);
    const configs = createAgentConfigStore(identity);
    const settings = createSettingsStore(identity);
    const repositories = createRepositories(parts.broker);
    const trail = createTrail(parts.audit);
    const turnLog = shareTurnLog(createTurnLog(parts.bus));
    const provided: readonly [symbol, unknown][] = [
      [ADMIT_REQUEST, createAdmitRequest({ directory, ownOrigins: ownOriginsOf(publicUrl) })],
      [LOCAL_ISSUER, createLocalIssuer(identity)],
      [SESSION_OPTIONS, { secureCookie: publicUrl.startsWith('https:'), warnings: parts.warnings }],
      [ORCHESTRATOR, orchestrator],
      [READ_CONVERSATION, createReadConversation({ orchestrator, broker, turnLog })],
      [FOLLOW_CONVERSATION, createFollowConversation({ orchestrator, turnLog })],
      [POST_MESSAGE_USE, createPostMessage({ orchestrator, broker, turnLog, lookMs: LOOK_MS })],
      [STREAM_OPTIONS, { heartbeatMs: parts.heartbeatMs }],
      [BROKER, broker],
      [GRANTS, createGrants(parts.broker)],
      [SCHEDULES, createSchedules(parts.broker)],
      [AGENT_CONFIG_STORE, configs],
      [PUT_CONFIG_USE, createPutConfig({ configs, broker })],
      [SETTINGS_STORE, settings],
      [REPOSITORIES, repositories],
      [FILES, createFiles(parts.broker)],
      [APPROVE_USE, createApproveCall({ broker, settings })],
      [TRUST_OFFERS, createTrustOffers(parts.broker)],
      [DIAGNOSE, createDiagnose({ settings, broker, repositories, foundSecrets: createFoundSecrets(identity) })],
      [PUT_SETTINGS_USE, createPutSettings({ settings, broker })],
      [SECRETS, createSecrets(identity)],
      [DEFINITIONS, createDefinitions(identity)],
      [CHOOSE_MODEL_USE, createChooseModel({ models: createModels(parts.models), orchestrator })],
      [READ_TOLD, createReadTold({ told: createTold(parts.orchestrator, parts.models), orchestrator })],
      [SUM_USAGE, createSumUsage({ orchestrator, tokens: createTokenLedger(parts.models), now: () => new Date() })],
      [MEMBERS, createMembers(identity)],
      [FEATURE_OVERRIDES, createFeatureOverrides(identity)],
      [TRAIL, trail],
      [NOTIFICATIONS, createNotifications(parts.automation)],
      [TRAIL_KEEPING, createTrailKeeping(parts.audit)],
      [DESTINATIONS, createDestinations(parts.audit)],
      [READ_TRAIL, createReadTrail({ trail, orchestrator })],
      [OPENAPI_DOCUMENT, buildOpenApiDocument(servedRoutes(), publicUrl)],
      [WEB_FILES, parts.webFiles],
    ];
    const providers: Provider[] = provided.map(([provide, useValue]) => ({ provide, useValue }));
    return {
      module: GatewayModule,
      imports: [HealthModule.with(parts.readiness)],
      // The page last: it answers what nothing else does.
      controllers: [...API, OpenApiController, WebPagesController],
      providers: [...providers, { provide: APP_GUARD, useClass: CallerGuard }],
    };
  }
}
