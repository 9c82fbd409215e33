/**
 * The token of an invitation whose link was opened. It arrives in the fragment, which browsers do not send; it is stored for this window
 * until the invitation is accepted or put off, so that it survives signing in and never becomes part of another address.
 */
import { readStored, writeStored } from './storage';

export const INVITATION_PATH = '/invitation';
/** In case the storage is blocked. */
let opened: string | null = null;

export function rememberInvitation(token: string): void {
  opened = token;
  writeStored('invitation', token);
}

export const rememberedInvitation = (): string | null => readStored<string>('invitation') ?? opened;

export function forgetInvitation(): void {
  opened = null;
  writeStored('invitation', null);
}

/** Takes the token out of the address of the page. */
export function takeInvitationFromAddress(): void {
  const { pathname, search, hash } = location;
  if (pathname !== INVITATION_PATH || hash.length < 2) return;
  rememberInvitation(hash.slice(1));
  history.replaceState(history.state, '', `${pathname}${search}`);
}
