/** The stated rule by which the demo planner counts tokens: one for every four bytes of UTF-8, begun ones included. */

export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text, 'utf8') / 4);
