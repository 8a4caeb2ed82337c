/** Who signs people in on this machine. A session's token is for the cookie and for nothing else. */
import type { Person, SignedIn } from '../callers/caller.ts';

export interface StartedSession {
  readonly token: string;
  readonly expiresAt: Date;
  readonly signedIn: SignedIn;
}

export interface LocalIssuer {
  signIn(name: string): Promise<StartedSession>;
  signOut(token: string): Promise<void>;
  listPeople(): Promise<Person[]>;
}
