/** The person's choice of light or dark, kept in this browser; without a choice the system decides. */
import { useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'bravo.theme';

function storedTheme(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system'; // storage may be switched off; the page works without it
  }
}

/** Called before the first paint, since the CSP leaves no room for an inline script. */
export function applyTheme(theme: Theme = storedTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Whether the page is dark now, and a function that turns it over. */
export function useTheme(): { dark: boolean; toggle: () => void } {
  const [theme, setTheme] = useState(storedTheme);
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  const toggle = (): void => {
    const next = dark ? 'light' : 'dark';
    applyTheme(next);
    setTheme(next);
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // not kept then
    }
  };
  return { dark, toggle };
}
