/** Places for open connections, over all and for each workspace, so that none can take the others' way out. */

export interface Room {
  /** What gives the place back, once; undefined where there is none. */
  enter(workspaceId: string): (() => void) | undefined;
  readonly taken: () => number;
}

export const createRoom = ({ all, perWorkspace }: { readonly all: number; readonly perWorkspace: number }): Room => {
  const held = new Map<string, number>();
  let taken = 0;
  return {
    taken: () => taken,
    enter: (workspaceId) => {
      const own = held.get(workspaceId) ?? 0;
      if (taken >= all || own >= perWorkspace) return undefined;
      taken += 1;
      held.set(workspaceId, own + 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        taken -= 1;
        const rest = (held.get(workspaceId) ?? 1) - 1;
        if (rest === 0) held.delete(workspaceId);
        else held.set(workspaceId, rest);
      };
    },
  };
};
