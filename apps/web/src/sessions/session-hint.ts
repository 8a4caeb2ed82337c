/** Remembers in this browser that somebody signed in, so that a first visit need not ask the server and be refused; it is a hint, never a credential. */
const KEY = 'bravo.signed-in';

export function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return true; // no storage: ask the server each time
  }
}

export function rememberSignedIn(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(KEY, 'yes');
    else localStorage.removeItem(KEY);
  } catch {
    // asked each time then
  }
}
