import fc from 'fast-check';
import type { ContextState, Label } from './index.ts';
import {
  contextAfterShowing,
  contextOfDelegate,
  FRESH_CONTEXT,
  isWithinMode,
  permissionsInMode,
  permissionsOfRole,
  plannerWords,
  readContext,
  TRUSTED_PRIVATE,
  TRUSTED_PUBLIC,
  UNTRUSTED_PUBLIC,
} from './index.ts';

const context: fc.Arbitrary<ContextState> = fc.record({
  integrity: fc.constantFrom('trusted', 'untrusted'),
  holdsPrivate: fc.boolean(),
});
const label: fc.Arbitrary<Label> = fc.record({
  integrity: fc.constantFrom('trusted', 'untrusted'),
  confidentiality: fc.constantFrom('public', 'private'),
});

describe('the planner’s context', () => {
  it('only falls in trust and only rises in privacy', () => {
    fc.assert(
      fc.property(context, label, fc.boolean(), (before, shown, released) => {
        const after = contextAfterShowing(before, shown, released);
        if (before.integrity === 'untrusted') expect(after.integrity).toBe('untrusted');
        if (before.holdsPrivate) expect(after.holdsPrivate).toBe(true);
        expect(contextOfDelegate(before)).toEqual(before);
      }),
    );
  });

  it('is made private by a release, not by an ordinary read', () => {
    expect(contextAfterShowing(FRESH_CONTEXT, TRUSTED_PRIVATE, false)).toEqual(FRESH_CONTEXT);
    expect(plannerWords(contextAfterShowing(FRESH_CONTEXT, TRUSTED_PRIVATE, true))).toEqual(TRUSTED_PRIVATE);
  });

  it('is begun with nothing in it, and a release of what is public adds nothing', () => {
    expect(plannerWords(FRESH_CONTEXT)).toEqual(TRUSTED_PUBLIC);
    expect(contextAfterShowing(FRESH_CONTEXT, TRUSTED_PUBLIC, true)).toEqual(FRESH_CONTEXT);
  });

  it('falls when untrusted text is shown', () => {
    expect(contextAfterShowing(FRESH_CONTEXT, UNTRUSTED_PUBLIC, false).integrity).toBe('untrusted');
  });

  it.each([[undefined], [null], [{}], [{ integrity: 'trusted' }], [{ integrity: 'yes', holdsPrivate: 'false' }]])(
    'reads %j as no better than it says',
    (stored) => {
      expect(readContext(stored).holdsPrivate).toBe(true);
    },
  );

  it('reads back what it stored', () => {
    expect(readContext(JSON.parse(JSON.stringify(FRESH_CONTEXT)))).toEqual(FRESH_CONTEXT);
    expect(readContext({ holdsPrivate: false }).integrity).toBe('untrusted');
  });
});

describe('roles and modes', () => {
  it('give an unknown role or mode nothing', () => {
    expect(permissionsOfRole('root')).toEqual([]);
    expect(permissionsInMode('bypass', permissionsOfRole('owner'))).toEqual([]);
    expect(isWithinMode('bypass', 'read', 'view_content')).toBe(false);
  });

  it('give owner and admin everything, the others what the table says', () => {
    expect(permissionsOfRole('owner')).toHaveLength(17);
    expect(permissionsOfRole('admin')).toHaveLength(17);
    expect(permissionsOfRole('member')).toEqual(['view_content', 'translate', 'manage_files', 'run_flows']);
    expect(permissionsOfRole('viewer')).toEqual(['view_content']);
    expect(permissionsOfRole('auditor')).toEqual(['view_content', 'audit_read']);
  });

  it('narrow by mode and never widen', () => {
    expect(permissionsInMode('ask', permissionsOfRole('admin'))).toEqual(['view_content']);
    expect(permissionsInMode('voice', permissionsOfRole('admin'))).toEqual([
      'view_content',
      'manage_automation',
      'manage_voice',
    ]);
    expect(permissionsInMode('coworker', permissionsOfRole('viewer'))).toEqual(['view_content']);
    expect(isWithinMode('voice', 'write', 'manage_voice')).toBe(true);
    expect(isWithinMode('voice', 'destructive', 'manage_voice')).toBe(false);
    expect(isWithinMode('voice', 'write', 'manage_files')).toBe(false);
  });
});
