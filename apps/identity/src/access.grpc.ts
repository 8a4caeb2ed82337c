/** Which services may call each method of identity; a method without a row is refused by the server. */
import type { AccessTable } from '@bravo/chassis';
import type { IdentityServiceService } from '@bravo/proto/identity';

export const IDENTITY_ACCESS: AccessTable<typeof IdentityServiceService> = {
  signIn: ['gateway'],
  signOut: ['gateway'],
  listLocalPeople: ['gateway'],
  describeCaller: ['gateway'],
  resolveCaller: ['gateway'],
  mintApiToken: ['gateway', 'operator'],
  revokeApiToken: ['gateway', 'operator'],
  mintAgentToken: ['orchestrator'],
  bindAgentToken: ['orchestrator'],
  revokeAgentToken: ['orchestrator'],
  resolveAgentToken: ['broker', 'models'],
  listMembers: ['gateway', 'automation'],
  setMemberRole: ['gateway'],
  resolveMember: ['gateway', 'orchestrator', 'broker', 'models', 'automation'],
  resolveFeatures: ['gateway', 'orchestrator', 'broker', 'models'],
  setFeatureOverride: ['gateway', 'operator'],
  listFeatureOverrides: ['gateway', 'operator'],
  getAgentConfig: ['gateway', 'orchestrator', 'broker'],
  putAgentConfig: ['gateway'],
  getSettings: ['gateway', 'orchestrator', 'broker', 'models'],
  listSettings: ['orchestrator', 'broker', 'models'],
  putSettings: ['gateway', 'operator'],
  eraseConversation: ['orchestrator'],
  resolveProviders: ['models', 'gateway'],
  putDefinition: ['gateway'],
  deleteDefinition: ['gateway'],
  listDefinitions: ['gateway', 'broker', 'orchestrator'],
  putSecret: ['gateway', 'operator'],
  listSecrets: ['gateway'],
  // The one service that speaks to model providers; a secret leaves identity on no other way.
  revealSecret: ['models'],
};
