/** The closed list of permission names, what each role holds and what each mode leaves of it. Guarantees that an unknown name grants nothing; it must never widen what a role holds. */

export const PERMISSIONS = [
  'view_content',
  'edit_source',
  'translate',
  'review',
  'manage_terms',
  'manage_tm',
  'run_flows',
  'manage_files',
  'manage_streams',
  'manage_connectors',
  'manage_automation',
  'manage_members',
  'manage_project',
  'manage_voice',
  'manage_assets',
  'audit_read',
  'rollback_changes',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['owner', 'admin', 'member', 'viewer', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

export const MODES = ['ask', 'coworker', 'voice'] as const;
export type Mode = (typeof MODES)[number];

/** What a tool does to the world, by its worst operation. */
export type Effect = 'read' | 'write' | 'destructive';

const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS,
  admin: PERMISSIONS,
  member: ['view_content', 'translate', 'manage_files', 'run_flows'],
  viewer: ['view_content'],
  auditor: ['view_content', 'audit_read'],
};

/** Voice writes nothing but these two areas (automation rules and brand-voice profiles). */
const VOICE_WRITES: readonly Permission[] = ['manage_automation', 'manage_voice'];

export function isPermission(name: string): name is Permission {
  return (PERMISSIONS as readonly string[]).includes(name);
}

export function isRole(name: string): name is Role {
  return (ROLES as readonly string[]).includes(name);
}

export function isMode(name: string): name is Mode {
  return (MODES as readonly string[]).includes(name);
}

/** The permissions of a role; of a name that is no role, none. */
export function permissionsOfRole(role: string): readonly Permission[] {
  return isRole(role) ? ROLE_PERMISSIONS[role] : [];
}

/** Whether a mode lets an operation through at all, before anybody's own permissions are looked at. An unknown mode lets nothing through. */
export function isWithinMode(mode: string, effect: Effect, permission: Permission): boolean {
  switch (mode) {
    case 'ask':
      return effect === 'read' && permission === 'view_content';
    case 'coworker':
      return true;
    case 'voice':
      return effect === 'read'
        ? permission === 'view_content'
        : effect === 'write' && VOICE_WRITES.includes(permission);
    default:
      return false;
  }
}

/** The permissions of a person narrowed by a mode: what the page shows as in force. Tools are judged by {@link isWithinMode}. */
export function permissionsInMode(mode: string, permissions: readonly Permission[]): readonly Permission[] {
  switch (mode) {
    case 'ask':
      return permissions.filter((permission) => permission === 'view_content');
    case 'coworker':
      return permissions;
    case 'voice':
      return permissions.filter((permission) => permission === 'view_content' || VOICE_WRITES.includes(permission));
    default:
      return [];
  }
}

/** The smallest mode in which the operation could pass, to be offered as a step up. */
export function modeThatAdmits(effect: Effect, permission: Permission): Mode {
  return isWithinMode('ask', effect, permission) ? 'ask' : 'coworker';
}
