/** The settings file among a conversation's files, as the gateway uses it. */
import type { CallSubject } from '../callers/caller.ts';
import type { RepositoryView } from './repository-routes.ts';

export const REPOSITORIES = Symbol('repositories');

export interface Repositories {
  see(subject: CallSubject, conversationId: string): Promise<RepositoryView & { readonly text: string }>;
  accept(subject: CallSubject, conversationId: string, rules: readonly string[]): Promise<RepositoryView>;
}
