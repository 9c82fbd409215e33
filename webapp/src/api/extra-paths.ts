/** Operations of the contract that the published description lacks (endpoints.md, "S only"). */
import type { UiConfig } from '@/state/session-store';

interface Get<Query, Answer> {
  parameters: { query?: Query; header?: never; path?: never; cookie?: never };
  get: {
    parameters: { query?: Query; header?: Record<string, string>; path?: never; cookie?: never };
    requestBody?: never;
    responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Answer } } };
  };
}

export interface ExtraPaths {
  '/current_user': Get<never, { username: string; ssoLogin?: boolean }>;
  '/ui-config': Get<never, UiConfig>;
  '/eventbus-login': Get<never, { access_token: string; ttl: number }>;
  '/swagger-ui/buildInfo.json': Get<never, { buildId?: string; version?: string; images?: Record<string, string> }>;
}
