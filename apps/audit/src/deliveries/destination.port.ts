/** A place outside to which the trail of a workspace is delivered, and how far it has it. Its secret is sealed wherever this is kept, and is never told again. */
export const DESTINATION_KINDS = ['syslog', 'webhook', 's3'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];
/** As exports have them; CSV has no line of its own for an entry. */
export const DELIVERY_FORMATS = ['jsonl', 'cloudevents', 'ocsf', 'cef'] as const;
export type DeliveryFormat = (typeof DELIVERY_FORMATS)[number];

export interface DestinationSettings {
  readonly name: string;
  readonly kind: DestinationKind;
  /** tls://host:port, https://host/path, or https://server/bucket/prefix. */
  readonly url: string;
  readonly format: DeliveryFormat;
  readonly everySeconds: number;
  /** Of s3; else empty. */
  readonly region: string;
  /** PEM of authorities that are trusted besides the usual ones; empty for none. */
  readonly certificates: string;
  readonly paused: boolean;
}

export interface Destination extends DestinationSettings {
  readonly destinationId: string;
  readonly workspaceId: string;
  readonly sealedSecret: string;
  /** Goes up with each change of what is above. */
  readonly version: number;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export interface Progress {
  /** The first entry it does not have. */
  readonly nextIndex: number;
  /** The end of what was begun and is not known to have arrived. */
  readonly pendingTo: number | undefined;
  readonly deliveredAt: Date | undefined;
  readonly failingSince: Date | undefined;
  readonly failures: number;
  /** Empty while it takes what it is sent. */
  readonly problem: string;
  readonly tryAt: Date | undefined;
}

export type StoredDestination = Destination & Progress;

export interface Destinations {
  /** Of a workspace, oldest first; without those that were removed. */
  list(workspaceId: string): Promise<readonly StoredDestination[]>;
  /** Of all workspaces, those that are not paused, in no order. */
  active(): Promise<readonly StoredDestination[]>;
  find(destinationId: string): Promise<StoredDestination | undefined>;
  /** With its event. @throws Fault conflict where the name is taken or there are too many. */
  add(destination: Omit<Destination, 'version' | 'createdAt'>, nextIndex: number): Promise<StoredDestination>;
  /** With its event; it is tried again at once. `nextIndex` undefined leaves the position. Undefined where there is none of that id. */
  change(
    workspaceId: string,
    destinationId: string,
    settings: DestinationSettings & { readonly sealedSecret: string },
    nextIndex: number | undefined,
    by: string,
  ): Promise<StoredDestination | undefined>;
  /** With its event. @returns false where there was none. */
  remove(workspaceId: string, destinationId: string, by: string): Promise<boolean>;
  /** What is begun: tried again exactly so. @returns false where its position or settings are others by now. */
  begin(at: StoredDestination, to: number): Promise<boolean>;
  /** @returns false where its position or settings are others by now: then it stays there, and what came may come again. */
  delivered(at: StoredDestination, to: number): Promise<boolean>;
  failed(at: StoredDestination, problem: string, tryAt: Date): Promise<void>;
}
