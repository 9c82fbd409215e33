/** Operations of the contract that the published description lacks (endpoints.md, "S only"). */
import type { Annotation } from './resources/annotations';
import type { UiConfig } from '@/state/session-store';

interface Get<Query, Answer> {
  parameters: { query?: Query; header?: never; path?: never; cookie?: never };
  get: {
    parameters: { query?: Query; header?: Record<string, string>; path?: never; cookie?: never };
    requestBody?: never;
    responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Answer } } };
  };
}

interface RestoreAnnotation {
  parameters: { query?: never; header?: never; path: { projectName: string; annotationId: string }; cookie?: never };
  post: {
    parameters: { query?: never; header?: never; path: { projectName: string; annotationId: string }; cookie?: never };
    requestBody?: never;
    responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Annotation } } };
  };
}

export interface ExtraPaths {
  '/projects/{projectName}/annotations/{annotationId}/_restore': RestoreAnnotation;
  '/current_user': Get<never, { username: string; ssoLogin?: boolean }>;
  '/ui-config': Get<never, UiConfig>;
  '/eventbus-login': Get<never, { access_token: string; ttl: number }>;
  '/swagger-ui/buildInfo.json': Get<never, { buildId?: string; version?: string; images?: Record<string, string> }>;
}
