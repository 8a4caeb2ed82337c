/** A reference for a person's page: what describes it and its name, never the content. */
import type { SlotRef as WireRef } from '@bravo/proto/broker';
import type { SlotRef } from './slot.ts';

export const toWireRef = ({ number, origin, name, kind, lines, bytes, label }: SlotRef): WireRef => ({
  number,
  origin,
  name,
  kind,
  lines,
  bytes,
  label: { ...label },
});
