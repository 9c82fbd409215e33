/** Engines of a project and the forms of their parameters (C-077). */
import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';

export type EngineType = 'learner' | 'gazetteer' | 'suggester';

/** An engine that this server is not set up for; only administrators of the platform get its `setting`. */
export type UnavailableEngine = Schemas['UnavailableEngine'];

/** A component's parameters as a form. Pass the object of the query cache, as the form is cached by its identity. */
export interface EngineForm {
  readonly schema: Record<string, unknown>;
  readonly uiSchema?: Record<string, unknown>;
  readonly defaults: Record<string, unknown>;
  readonly title: string;
  readonly description: string;
  readonly natures?: readonly string[];
  /** False for an unsupervised learner. */
  readonly needsLabels?: boolean;
}

/** The defaults of a form, overridden by those wished values that it knows: an engine may lack a parameter, or one of its choices. */
export function defaultsWithKnownValues(
  form: Pick<EngineForm, 'schema' | 'defaults'>,
  wished: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const properties = (form.schema['properties'] ?? {}) as Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
  const known = Object.entries(wished).filter(([name, value]) => {
    const property = properties[name];
    return property !== undefined && (property.enum?.includes(value) ?? true);
  });
  return { ...form.defaults, ...Object.fromEntries(known) };
}

export const componentKeys = {
  all: ['components'] as const,
  engines: (project: string, type: EngineType) => [...componentKeys.all, project, type] as const,
  form: (project: string, type: EngineType, engine: string, language: string) =>
    [...componentKeys.engines(project, type), engine, language] as const,
  converters: (project: string, language: string) => [...componentKeys.all, project, 'converters', language] as const,
  converterForm: (project: string, name: string, language: string) => [...componentKeys.all, project, 'converter', name, language] as const,
  extensions: (project: string) => [...componentKeys.all, project, 'extensions'] as const,
};

export const enginesQuery = (projectName: string, type: EngineType) =>
  queryOptions({
    queryKey: componentKeys.engines(projectName, type),
    queryFn: async () =>
      (await call(client.GET('/projects/{projectName}/engines', { params: { path: { projectName }, query: { type } } }))) as string[],
    enabled: projectName !== '',
    staleTime: 300_000,
    meta: { errorTitle: 'getEngines' },
  });

/** Their titles come in `language`. */
export const unavailableEnginesQuery = (projectName: string, type: EngineType, language: string) =>
  queryOptions({
    queryKey: [...componentKeys.engines(projectName, type), 'unavailable', language] as const,
    queryFn: () => {
      const params = { path: { projectName }, query: { type } };
      return call(client.GET('/projects/{projectName}/unavailable_engines', { params, headers: { 'Accept-Language': language } }));
    },
    enabled: projectName !== '',
    staleTime: 300_000,
    meta: { silent: true },
  });

/** The form of the parameters of a component of a `type`; its words come in `language`. */
export async function fetchEngineForm(projectName: string, type: string, engine: string, language: string): Promise<EngineForm> {
  const query = { type, engine, uiSchema: true };
  const options = { params: { path: { projectName }, query }, headers: { 'Accept-Language': language } };
  return (await call(client.GET('/projects/{projectName}/engine_parameters', options))) as unknown as EngineForm;
}

/** The words of the form come in `language`. */
export const engineFormQuery = (projectName: string, type: EngineType, engine: string, language: string) =>
  queryOptions({
    queryKey: componentKeys.form(projectName, type, engine, language),
    queryFn: () => fetchEngineForm(projectName, type, engine, language),
    enabled: projectName !== '' && engine !== '',
    staleTime: 300_000,
    meta: { errorTitle: 'getEngineParams' },
  });

interface ServiceRecord {
  readonly name?: string;
  readonly metadata?: { readonly extensions?: string; readonly title?: string; readonly description?: string };
}

/** `json_converter: json/jsonl` -> json, jsonl. */
function fileExtensionsOf(record: ServiceRecord): string[] {
  const text = record.metadata?.extensions ?? '';
  return text
    .slice(text.indexOf(':') + 1)
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Extensions that a converter of this server reads (C-050); others are not offered. */
export const fileExtensionsQuery = (projectName: string) =>
  queryOptions({
    queryKey: componentKeys.extensions(projectName),
    queryFn: async () => {
      const records = await call(
        client.GET('/projects/{projectName}/services', { params: { path: { projectName }, query: { type: 'converter' } } }),
      );
      return [...new Set((records as ServiceRecord[]).flatMap(fileExtensionsOf))].sort();
    },
    enabled: projectName !== '',
    staleTime: 300_000,
    meta: { silent: true },
  });

/** A component that reads files, with title and description in the requested language. */
export interface Converter {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly extensions: readonly string[];
}

async function fetchFileReaders(projectName: string, type: 'converter' | 'termImporter', language: string): Promise<Converter[]> {
  const options = { params: { path: { projectName }, query: { type } }, headers: { 'Accept-Language': language } };
  const records = (await call(client.GET('/projects/{projectName}/services', options))) as ServiceRecord[];
  return records.flatMap((record) =>
    record.name === undefined
      ? []
      : [
          {
            name: record.name,
            title: record.metadata?.title ?? record.name,
            description: record.metadata?.description ?? '',
            extensions: fileExtensionsOf(record),
          },
        ],
  );
}

export const convertersQuery = (projectName: string, language: string) =>
  queryOptions({
    queryKey: componentKeys.converters(projectName, language),
    queryFn: () => fetchFileReaders(projectName, 'converter', language),
    enabled: projectName !== '',
    staleTime: 300_000,
    meta: { silent: true },
  });

/** Components that read terms from a file (D-021). */
export const termImportersQuery = (projectName: string, language: string) =>
  queryOptions({
    queryKey: [...componentKeys.all, projectName, 'termImporters', language] as const,
    queryFn: () => fetchFileReaders(projectName, 'termImporter', language),
    enabled: projectName !== '',
    staleTime: 300_000,
    meta: { errorTitle: 'importerFormats' },
  });

/** The texts of the form are in `language`. */
export const termImporterFormQuery = (projectName: string, importer: string, language: string) =>
  queryOptions({
    queryKey: [...componentKeys.all, projectName, 'termImporter', importer, language] as const,
    queryFn: () => fetchEngineForm(projectName, 'termImporter', importer, language),
    enabled: projectName !== '' && importer !== '',
    staleTime: 300_000,
    meta: { errorTitle: 'importerParameters' },
  });

/** The texts of the form are in `language`. */
export const converterFormQuery = (projectName: string, engine: string, language: string) =>
  queryOptions({
    queryKey: componentKeys.converterForm(projectName, engine, language),
    queryFn: () => fetchEngineForm(projectName, 'converter', engine, language),
    enabled: projectName !== '' && engine !== '',
    staleTime: 300_000,
    meta: { silent: true },
  });
