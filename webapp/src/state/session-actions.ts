/** Actions of the shell that screens may call. The application registers them at start, as screens never import the application. */

export interface SessionActions {
  signIn(username: string, password: string): Promise<void>;
  signOut(go: (path: string) => void): Promise<void>;
  changeLanguage(locale: string): Promise<void>;
}

let actions: SessionActions | null = null;

export function provideSessionActions(given: SessionActions): void {
  actions = given;
}

export function useSessionActions(): SessionActions {
  if (actions === null) throw new Error('The application gave no session actions');
  return actions;
}
