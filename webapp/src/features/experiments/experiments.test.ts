// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Experiment, Training } from '@/api/resources/experiments';
import { sampleUnitOf } from '@/api/resources/measurement';
import { corpusAnnotationObstacle } from '@/blocks/engines/annotate-corpus-dialog';
import { changedLabelAndParameters } from '@/blocks/engines/engine-changes';
import { toSplitRequest, parseTestShare } from './split-dialog';
import { weakestLabels } from './experiment-detail';
import { axisBounds, METRICS, presentMetrics, oldestFirst, spreadLabelPositions } from './report-parts';
import { changeSinceLastTraining, trainingF1 } from './score-delta';
import { failedTrainingJob } from './experiment-state-badge';

const training = (timestamp: number, f1: number): Training => ({ timestamp, quality: Math.round(f1 * 100), report: { microAvg: { f1 } } });
const experiment: Experiment = {
  name: 'crf',
  label: 'CRF',
  engine: 'crf',
  parameters: {},
  models: 1,
  timestamp: 50,
  duration: 1,
  uptodate: true,
  running: false,
  report: { classes: { a: { f1: 0.9, support: 3 }, b: { f1: 0.2, support: 4 }, c: { f1: 0, support: 0 } } },
};

describe('experiments', () => {
  it('orders metrics as the report of an experiment does', () => {
    expect(METRICS).toEqual(['f1', 'precision', 'recall', 'roc_auc', 'ndcg', 'rr', 'ap', 'support']);
    expect(presentMetrics([{ support: 1, f1: 0 }, undefined, { recall: 1 }])).toEqual(['f1', 'recall', 'support']);
  });

  it('draws ten trainings at most, oldest first (C-034)', () => {
    const history = Array.from({ length: 12 }, (_one, index) => training(12 - index, 0.5));
    expect(oldestFirst(history).map((one) => one.timestamp)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const change = changeSinceLastTraining([training(2, 0.87), training(1, 0.85)], trainingF1);
    expect(change?.difference).toBeCloseTo(0.02);
    expect(change).toMatchObject({ before: 0.85, timestamp: 1, comparable: true });
    expect(changeSinceLastTraining([training(1, 0.85)], trainingF1)).toBeUndefined();
  });

  it('sends only the changed label and parameters', () => {
    const before = { label: 'A', parameters: { x: 1, y: { b: 2, a: 1 } } };
    expect(changedLabelAndParameters(before, { label: 'A', parameters: { y: { a: 1, b: 2 }, x: 1 } })).toEqual({});
    expect(changedLabelAndParameters(before, { label: 'B', parameters: before.parameters })).toEqual({ label: 'B' });
    expect(changedLabelAndParameters(before, { label: 'A', parameters: { x: 2 } })).toEqual({ parameters: { x: 2 } });
  });

  it('does not annotate an empty corpus, nor twice at once (V-023)', () => {
    expect(corpusAnnotationObstacle(0, [])).toBe('noDocuments');
    expect(corpusAnnotationObstacle(3, [{ type: 'CORPUS_ANNOTATE', status: 'STARTED' }])).toBe('running');
    expect(corpusAnnotationObstacle(3, [{ type: 'CORPUS_ANNOTATE', status: 'COMPLETED' }])).toBeNull();
    expect(corpusAnnotationObstacle(undefined, [])).toBeNull();
  });

  it('names the weakest tested labels and the training that failed since', () => {
    expect(weakestLabels(experiment).map((row) => row.name)).toEqual(['b', 'a']);
    const job = { id: 'j', type: 'EXPERIMENT_TRAINING', status: 'FAILED', description: 'Training CRF', createdAt: 60 } as never;
    expect(failedTrainingJob(experiment, [job])).toBe(job);
    expect(failedTrainingJob({ ...experiment, timestamp: 90 }, [job])).toBeUndefined();
  });

  it('parses the test share, with comma or point', () => {
    expect(parseTestShare('20')).toBe(0.2);
    expect(parseTestShare('12,5')).toBe(0.125);
    expect([parseTestShare(''), parseTestShare('0'), parseTestShare('100'), parseTestShare('x')]).toEqual([null, null, null, null]);
  });

  it('keeps labels at line ends apart and the axis round', () => {
    expect(spreadLabelPositions([10, 12, 100])).toEqual([10, 23, 100]);
    const [low, high] = axisBounds([0.62, 0.87]);
    expect(low).toBeLessThanOrEqual(0.62);
    expect(high).toBeGreaterThanOrEqual(0.87);
  });
});

describe('a split request', () => {
  const chosen = { way: 'random' as const, size: '25', incremental: true, groupField: '', field: '', values: [], query: '' };

  it('depends on the method, and is null while incomplete', () => {
    expect(toSplitRequest(chosen, true)).toEqual({ by: 'random', testSize: 0.25, incremental: true, groupField: '' });
    expect(toSplitRequest(chosen, false)).toMatchObject({ incremental: false });
    expect(toSplitRequest({ ...chosen, size: '0' }, false)).toBeNull();
    expect(toSplitRequest({ ...chosen, way: 'metadata', field: 'split' }, false)).toBeNull();
    expect(toSplitRequest({ ...chosen, way: 'metadata', field: 'split', values: ['test'] }, false)).toEqual({
      by: 'metadata',
      metadataField: 'split',
      testValues: ['test'],
    });
    expect(toSplitRequest({ ...chosen, way: 'search', query: ' ' }, false)).toBeNull();
    expect(toSplitRequest({ ...chosen, way: 'search', query: 'press' }, false)).toEqual({
      by: 'search',
      query: 'press',
      simpleQuery: true,
    });
  });
});

describe('what a report counts', () => {
  const report = (documents: number, segments: number) => ({
    measurement: {
      method: 'heldOut',
      unit: 'document',
      train: { documents: 4 * documents, segments: 4 * segments },
      test: { documents, segments },
    },
  });
  it('is documents where each of them is one text to classify, else segments', () => {
    expect(sampleUnitOf(report(12, 12))).toBe('documents');
    expect(sampleUnitOf(report(12, 120))).toBe('segments');
    expect(sampleUnitOf(null)).toBe('segments');
    expect(sampleUnitOf({})).toBe('segments');
  });
});
