/** Trials: a plan, stored or not, on a text or a document, with the result after each step. Nothing is stored. */
import { call, client } from '@/api/client';
import { projectPathParams } from '@/api/path-params';
import type { PlanParameters } from './plans';

/** The server refuses longer texts, and tries the beginning of longer documents. */
export const TRIAL_CHARACTERS = 100_000;

/** An annotation or a category that the document had at some time; offsets are code points. */
export interface TrialItem {
  readonly id: number;
  readonly kind: 'annotation' | 'category';
  readonly labelName: string;
  readonly start?: number;
  readonly end?: number;
  readonly fragments?: readonly (readonly [number, number])[];
  readonly text?: string;
  readonly score?: number;
  readonly status?: string;
  readonly creationMode?: string;
  readonly createdBy?: string;
}

export type SegmentOffsets = readonly [number, number];

export const TRIAL_STATES = ['done', 'off', 'notMet', 'elsewhere', 'failed', 'notReached'] as const;
export type TrialState = (typeof TRIAL_STATES)[number];

/** Lists hold ids of items; the counts include items that are not listed. Steps that did not run have a state only. */
export interface TrialStep {
  readonly state: TrialState;
  readonly seconds?: number;
  /** How long the component took to load, before its work. */
  readonly loadingSeconds?: number;
  readonly added?: readonly number[];
  readonly removed?: readonly number[];
  readonly addedCount?: number;
  readonly removedCount?: number;
  readonly keptCount?: number;
  /** Present if the step changed them. */
  readonly segments?: readonly SegmentOffsets[];
  readonly segmentCount?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly language?: string;
  readonly problem?: string;
  readonly fix?: string;
  readonly said?: unknown;
}

export interface PlanTrial {
  readonly text: string;
  /** Only the beginning of a long document was tried. */
  readonly cut: boolean;
  readonly items: readonly TrialItem[];
  readonly start: {
    readonly seconds: number;
    readonly items: readonly number[];
    readonly count: number;
    readonly segments: readonly SegmentOffsets[];
    readonly segmentCount: number;
  };
  readonly steps: readonly TrialStep[];
}

export type TriedPlan = { readonly parameters: PlanParameters } | { readonly plan: string };
export type TrialSubject = { readonly text: string } | { readonly document: string };

export const tryPlan = (projectName: string, plan: TriedPlan, subject: TrialSubject) =>
  call(
    client.POST('/projects/{projectName}/plans/_try', {
      params: projectPathParams(projectName),
      body: { ...plan, ...subject } as never,
    }),
  ) as unknown as Promise<PlanTrial>;
