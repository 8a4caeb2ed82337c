/** Sealed content as the ledger writes it: small ones ride in the event, large ones in events of their own. */

export interface SealedContent {
  readonly keyId: string;
  /** Each a compact JWE over base64; together, in order, the content. */
  readonly pieces: readonly string[];
}

/** Of the person whose call it is. @throws Fault trail_unavailable when no key can be had. */
export type ContentSealer = (workspaceId: string, userId: string, content: string) => Promise<SealedContent>;

/** The member `sealed` of the event that tells of the content. */
export const sealedData = ({ keyId, pieces }: SealedContent) => {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined
    ? { key_id: keyId, jwe: only }
    : { key_id: keyId, pieces: pieces.length };
};

/** The data of the events beside it; none for a small one. */
export const pieceData = (of: 'input' | 'output', { keyId, pieces }: SealedContent) =>
  pieces.length === 1
    ? []
    : pieces.map((jwe, piece) => ({ of, piece, pieces: pieces.length, sealed: { key_id: keyId, jwe } }));
