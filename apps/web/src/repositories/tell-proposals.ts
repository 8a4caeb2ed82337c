/** The heading of what a settings file among the files proposes; it must never call a rule that waits one that holds. */

export function tellProposals(waiting: number, accepted: number): string {
  const rules = (count: number) => (count === 1 ? '1 allow rule' : `${count} allow rules`);
  const held = accepted === 0 ? '' : `${rules(accepted)} of the files' settings ${accepted === 1 ? 'holds' : 'hold'}`;
  const asked =
    waiting === 0 ? '' : `${rules(waiting)} of the files' settings ${waiting === 1 ? 'waits' : 'wait'} for you`;
  if (asked === '' && held === '') return "No allow rule of the files' settings holds";
  if (asked === '' || held === '') return asked + held;
  return `${asked}, ${accepted} ${accepted === 1 ? 'holds' : 'hold'}`;
}
