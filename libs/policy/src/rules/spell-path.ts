/** The names one file has by its place alone. Guarantees that a restricting rule written either way reaches it; it must never follow a link. */
import { isAbsolute, splitPath } from './path-pattern.ts';

/** As rules hold it: from the workspace's root inside it, in full outside. `workspace` is the absolute root. */
export function canonicalPath(path: string, workspace: string): string {
  if (!isAbsolute(path)) return splitPath(path).join('/') || '.';
  return insideOf(path, workspace) ?? `/${splitPath(path).join('/')}`;
}

/** Every spelling of a file by place: relative and absolute inside the workspace, absolute only outside. */
export function spellingsOf(path: string, workspace: string): readonly string[] {
  const canonical = canonicalPath(path, workspace);
  if (isAbsolute(canonical)) return [canonical];
  const full = `/${[...splitPath(workspace), ...splitPath(canonical)].join('/')}`;
  return [canonical, full];
}

function insideOf(path: string, workspace: string): string | undefined {
  const root = splitPath(workspace);
  const segments = splitPath(path);
  // Dots could lead out again, so such a path is named in full.
  if (segments.includes('..') || !root.every((segment, at) => segments[at] === segment)) return undefined;
  return segments.slice(root.length).join('/') || '.';
}
