/** Invitations: links that give access to a project. A token is sent in bodies only; its link has it in the fragment. */
import { queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { projectKeys } from './projects';

export type InvitationRight = 'read' | 'write';

export interface Invitation {
  readonly id: string;
  readonly right: InvitationRight;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Absent: any number of people. */
  readonly usesLeft?: number;
  readonly sentTo?: string;
  /** False while its creator may no longer share the project. */
  readonly usable: boolean;
}

export interface InvitationTerms {
  readonly right: InvitationRight;
  readonly days: number;
}

export interface InvitationFacts {
  readonly projectLabel: string;
  readonly inviter: string;
  readonly right: InvitationRight;
}

export const invitationsQuery = (projectName: string) =>
  queryOptions({
    queryKey: [...projectKeys.all, 'invitations', projectName],
    queryFn: async ({ signal }) => {
      const params = { path: { projectName } };
      const found = await call(client.GET('/projects/{projectName}/invitations', { params, signal }));
      return found as unknown as { readonly invitations: readonly Invitation[]; readonly sendsMail: boolean };
    },
    meta: { silent: true },
  });

/** The token of the result cannot be read again. Without `uses`, any number of people may accept it. */
export async function createInvitation(projectName: string, terms: InvitationTerms & { readonly uses?: number }): Promise<string> {
  const params = { path: { projectName } };
  return (await call(client.POST('/projects/{projectName}/invitations', { params, body: { ...terms } }))).token;
}

/** Sends an invitation for one person by e-mail. */
export const sendInvitation = (projectName: string, address: string, language: 'en' | 'fr', terms: InvitationTerms) =>
  call(
    client.POST('/projects/{projectName}/invitations/_send', { params: { path: { projectName } }, body: { ...terms, address, language } }),
  );

export const revokeInvitation = (projectName: string, invitationId: string) =>
  call(client.DELETE('/projects/{projectName}/invitations/{invitationId}', { params: { path: { projectName, invitationId } } }));

/** Who invites to which project. Not repeated by itself: the server counts how often a token is tried. */
export const invitationFactsQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) =>
      (await call(client.POST('/invitations/_preview', { body: { token }, signal }))) as unknown as InvitationFacts,
    staleTime: Infinity,
    retry: false,
    meta: { silent: true },
  });

export const acceptInvitation = (token: string) => call(client.POST('/invitations/_accept', { body: { token } }));
