/** Whether what is declared now still means what was released. Guarantees that who reads old events by the new schema, or new ones by the old fields, reads the same; a changed meaning needs a new type. */
import type { EventSchema } from './privacy.ts';

/** One sentence for each break; empty when there is none. */
export const incompatibilities = (
  released: Readonly<Record<string, EventSchema>>,
  current: Readonly<Record<string, EventSchema>>,
): string[] =>
  Object.entries(released).flatMap(([type, before]) => {
    const now = current[type];
    if (now === undefined) return [`${type} is gone: the log still holds events of it.`];
    return [...changedFields(type, before, now), ...newlyRequired(type, before, now)];
  });

const changedFields = (type: string, before: EventSchema, now: EventSchema): string[] =>
  Object.entries(before.properties).flatMap(([field, shape]) => {
    const present = now.properties[field];
    if (present === undefined)
      return [`${type}: the field ${field} is gone. Keep it, or declare a new type beside this one.`];
    return meaningOf(shape) === meaningOf(present)
      ? []
      : [`${type}: the field ${field} is another than was released. Declare a new type beside this one.`];
  });

const newlyRequired = (type: string, before: EventSchema, now: EventSchema): string[] =>
  (now.required ?? [])
    .filter((field) => !(before.required ?? []).includes(field))
    .map(
      (field) => `${type}: the field ${field} is required now, and released events do not have it. Make it optional.`,
    );

/** A longer list of words and a wider limit read all that was written before. */
const meaningOf = (shape: unknown): string =>
  JSON.stringify(shape, (key, value: unknown) =>
    ['description', 'maxLength', 'maxItems', 'maximum', 'enum', 'x-privacy'].includes(key) ? undefined : value,
  );
