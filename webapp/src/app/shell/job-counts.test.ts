// @vitest-environment node
/** Effects of jobs on the rest of the web app. */
import { beforeAll, describe, expect, it } from 'vitest';
import i18next from 'i18next';
import { readFileSync } from 'node:fs';
import { corpusAnnotationObstacle } from '@/blocks/engines/annotate-corpus-dialog';
import { jobUpdatesDocuments, type Job } from '@/api/resources/jobs';
import { startTestI18n } from '@/test/render';
import { unseenFailures } from './job-counts';

/** Job types in the API description. */
const description = JSON.parse(readFileSync('../schemas/annotarium_schemas/json/openapi.json', 'utf8')) as {
  readonly components: {
    readonly schemas: { readonly SherpaJobBean: { readonly properties: { readonly type: { readonly enum: string[] } } } };
  };
};
const TYPES = description.components.schemas.SherpaJobBean.properties.type.enum;

const job = (type: string, status: string, completedAt?: number) => ({ id: type, type, status, completedAt }) as unknown as Job;

describe('jobs', () => {
  beforeAll(() => startTestI18n());

  it('C-084 change the documents while they run and are of such a type', () => {
    const updating = TYPES.filter((type) => jobUpdatesDocuments(job(type, 'STARTED')));
    expect(updating.sort()).toEqual(['ADD_CATEGORY', 'ADD_METADATA', 'CORPUS_ANNOTATE', 'DOC_IMPORT', 'PROJECT_INDEXING']);
    for (const status of ['PAUSED', 'COMPLETED', 'CANCELLED', 'FAILED']) expect(jobUpdatesDocuments(job('DOC_IMPORT', status))).toBe(false);
  });

  it('T-025 a failure is unseen when it happened after the list was last opened', () => {
    const jobs = [job('A', 'FAILED', 10), job('B', 'FAILED', 11), job('C', 'COMPLETED', 12), job('D', 'FAILED')];
    expect([unseenFailures(jobs, 9), unseenFailures(jobs, 10), unseenFailures(jobs, 11)]).toEqual([2, 1, 0]);
  });

  it('T-024 the corpus is being annotated from the start of such a job until its status changes', () => {
    expect(corpusAnnotationObstacle(3, [job('CORPUS_ANNOTATE', 'STARTED')])).toBe('running');
    for (const status of ['PAUSED', 'COMPLETED', 'CANCELLED', 'FAILED'])
      expect(corpusAnnotationObstacle(3, [job('CORPUS_ANNOTATE', status)])).toBeNull();
    expect(corpusAnnotationObstacle(3, [job('DOC_IMPORT', 'STARTED')])).toBeNull();
  });

  it('C-082 every job type has its texts in both languages', () => {
    for (const type of TYPES) expect(i18next.exists(`shell:jobType.${type}`, { lngs: ['en'] }), type).toBe(true);
    for (const type of TYPES) expect(i18next.exists(`shell:jobType.${type}`, { lngs: ['fr'] }), type).toBe(true);
  });
});
