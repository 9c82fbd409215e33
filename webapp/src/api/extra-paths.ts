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

/** Operations whose callers state the types of their bodies and answers. */
type Untyped<Path, Method extends string> = { parameters: { query?: never; header?: never; path?: Path; cookie?: never } } & Record<
  Method,
  Operation<Record<string, unknown>, Path, object, object>
>;

interface OfProject {
  projectName: string;
}
type OfLexicon = OfProject & { lexiconName: string };
type OfEngine = OfProject & { name: string };

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
  '/projects/{projectName}/lexicons': Untyped<OfProject, 'get' | 'post'>;
  '/projects/{projectName}/lexicons/_search': Untyped<OfProject, 'post'>;
  '/projects/{projectName}/lexicons/_preview': Untyped<OfProject, 'post'>;
  '/projects/{projectName}/lexicons/{lexiconName}': Untyped<OfLexicon, 'get' | 'post' | 'patch' | 'delete'>;
  '/projects/{projectName}/lexicons/{lexiconName}/_clear': Untyped<OfLexicon, 'post'>;
  '/projects/{projectName}/lexicons/{lexiconName}/_load': Untyped<OfLexicon, 'post'>;
  '/projects/{projectName}/lexicons/{lexiconName}/_children': Untyped<OfLexicon, 'post'>;
  '/projects/{projectName}/lexicons/{lexiconName}/_roots': Untyped<OfLexicon, 'get'>;
  '/projects/{projectName}/lexicons/{lexiconName}/_update_term': Untyped<OfLexicon, 'post'>;
  '/projects/{projectName}/lexicons/{lexiconName}/_get_term': Untyped<OfLexicon, 'post'>;
  '/projects/{projectName}/lexicons/{lexiconName}/_delete_term': Untyped<OfLexicon, 'post'>;
  '/projects/{projectName}/gazetteers': Untyped<OfProject, 'get' | 'post'>;
  '/projects/{projectName}/gazetteers/_label_hint': Untyped<OfProject, 'post'>;
  '/projects/{projectName}/gazetteers/_load': Untyped<OfProject, 'post'>;
  '/projects/{projectName}/gazetteers/{name}': Untyped<OfEngine, 'get' | 'patch' | 'delete'>;
  '/projects/{projectName}/gazetteers/{name}/_synchronize': Untyped<OfEngine, 'post'>;
  '/projects/{projectName}/gazetteers/{name}/_cancel_synchronize': Untyped<OfEngine, 'post'>;
}
