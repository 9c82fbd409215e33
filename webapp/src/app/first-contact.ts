/** What the first page needs to know: the configuration of the server, and who is signed in (T-004). Without the query cache and the router. */
import { call, client } from '@/api/client';
import { restorePrincipal, type PrincipalAnswer } from '@/api/resources/principal';
import { useSessionStore } from '@/state/session-store';

let answer: Promise<PrincipalAnswer | null> | undefined;

/** Asks once; null when nobody is signed in. After a failure the web app stays not ready (E-061). */
export function firstContact(): Promise<PrincipalAnswer | null> {
  answer ??= (async () => {
    const [config, principal] = await Promise.all([call(client.GET('/ui-config')), restorePrincipal()]);
    useSessionStore.getState().setConfig(config);
    if (principal === null) useSessionStore.setState({ status: 'anonymous' });
    return principal;
  })();
  return answer;
}

/** For tests, and to retry a failed start. */
export function resetContact(): void {
  answer = undefined;
}
