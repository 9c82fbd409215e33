/**
 * Published operations that the web app calls and our OpenAPI description does not contain yet. `client.ts` omits the ones it does contain.
 */
import type { components } from './schema';

type Schemas = components['schemas'];

interface Operation<Query, Path, Body, Answer> {
  parameters: { query?: Query; header?: Record<string, string>; path?: Path; cookie?: never };
  requestBody?: [Body] extends [never] ? never : { content: { 'application/json': Body } };
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Answer } } };
}

interface Get<Query, Answer> {
  parameters: { query?: Query; header?: never; path?: never; cookie?: never };
  get: {
    parameters: { query?: Query; header?: Record<string, string>; path?: never; cookie?: never };
    requestBody?: never;
    responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Answer } } };
  };
}

interface Post<Query, Path, Body, Answer> {
  parameters: { query?: Query; header?: never; path?: Path; cookie?: never };
  post: Operation<Query, Path, Body, Answer>;
}

interface Theme {
  id: string;
  label: string;
  config: Record<string, unknown>;
}

export interface ExtraPaths {
  '/themes': Get<{ scope?: string }, Theme[]>;
  '/themes/_favorite': Get<{ scope?: string }, Theme>;
  '/themes/{themeId}/_favorite': Post<{ favorite?: boolean; scope?: string }, { themeId: string }, never, Schemas['Ack']>;
  '/projects/_load': Post<{ projectLabel?: string; groupName?: string }, never, Schemas['UploadedFile'], Schemas['SherpaJobBean']>;
}
