/** The first stop of the Tab key: straight to the message box. */
export function SkipLink() {
  return (
    <button
      type="button"
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-accent focus:px-3 focus:py-2 focus:text-accent-foreground"
      onClick={() => document.querySelector<HTMLElement>('[data-testid="composer"]')?.focus()}
    >
      Skip to the message box
    </button>
  );
}
