/** The files of a conversation as their own person sees and changes them; for nobody else there are none. */
import type { PathTrust } from '@bravo/policy';
import type { PersonPrincipal } from '../access/person.ts';

export interface ConversationFile {
  readonly path: string;
  /** file, directory or link. */
  readonly kind: string;
  readonly size: number;
  /** Change token of a file; '' of anything else. */
  readonly revision: string;
  /** Of a link: where it leads; '' where that is nowhere among the files, and of anything else. */
  readonly landing: string;
  /** Whether a read of it is shown to the agent. */
  readonly trust: PathTrust;
  /** A picture or a PDF: never shown as text, whatever its trust. */
  readonly quarantined: boolean;
}

export interface Upload {
  readonly conversationId: string;
  readonly path: string;
  readonly content: Uint8Array;
  /** '' over whatever is there; "absent" only where nothing is. */
  readonly expectedRevision: string;
  /** Undefined: as the person said the last time. */
  readonly letsRead: boolean | undefined;
}

/** What is written down of a change, beside the files themselves. */
export interface FileRecords {
  /** From here on nobody vouches for the path. @throws Fault conversation_ended */
  begin(conversationId: string, path: string, changeId: string): Promise<void>;
  /** The mark only replaces the one of the same upload: whoever wrote there since has set their own. */
  uploaded(
    person: PersonPrincipal,
    conversationId: string,
    upload: {
      readonly id: string;
      readonly path: string;
      readonly trusted: boolean;
      readonly content: Uint8Array;
      readonly created: boolean;
    },
  ): Promise<void>;
  removed(person: PersonPrincipal, conversationId: string, removal: { path: string; kind: string }): Promise<void>;
  /** What the person last said of "let @bravo read it"; false where they never did. */
  letsRead(person: PersonPrincipal): Promise<boolean>;
  rememberLetsRead(person: PersonPrincipal, letsRead: boolean): Promise<void>;
}

/** One file may be this large; all together as much as WORKSPACE_LIMITS says. */
export const MOST_UPLOAD_BYTES = 32 * 1024 * 1024;
