/** Conditions of steps as form rules (C-081). Other conditions are edited as JSON. */
import type { ParameterValues } from '@/api/resources/plans';

export const RULE_KINDS = ['metadata', 'metadataValue', 'category', 'annotation', 'text'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

export interface Rule {
  readonly kind: RuleKind;
  /** Metadata field, label, or words. */
  readonly name: string;
  /** Value of the metadata field, for `metadataValue`. */
  readonly value: string;
  readonly negated: boolean;
}

export interface Rules {
  readonly together: 'and' | 'or';
  readonly rules: readonly Rule[];
}

export const NEW_RULE: Rule = { kind: 'metadata', name: '', value: '', negated: false };

function singleEntry(condition: unknown): [string, unknown] | null {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return null;
  const entries = Object.entries(condition);
  return entries.length === 1 ? (entries[0] ?? null) : null;
}

function parseRule(condition: unknown, negated = false): Rule | null {
  const [kind, value] = singleEntry(condition) ?? ['', undefined];
  if (kind === 'not') return negated ? null : parseRule(value, true);
  if (kind === 'metadata') {
    const { name, value: wanted } = (value ?? {}) as { name?: unknown; value?: unknown };
    if (typeof name !== 'string') return null;
    if (wanted === undefined) return { kind, name, value: '', negated };
    return { kind: 'metadataValue', name, value: String(wanted as string | number | boolean), negated };
  }
  const plain = kind === 'category' || kind === 'annotation' || kind === 'text';
  return plain && typeof value === 'string' ? { kind, name: value, value: '', negated } : null;
}

/** Null: not expressible as rules. */
export function parseRules(condition: ParameterValues | undefined): Rules | null {
  if (condition === undefined) return { together: 'and', rules: [] };
  const [kind, value] = singleEntry(condition) ?? ['', undefined];
  const many = (kind === 'and' || kind === 'or') && Array.isArray(value);
  const found = (many ? (value as unknown[]) : [condition]).map((item) => parseRule(item));
  if (found.some((rule) => rule === null)) return null;
  return { together: kind === 'or' ? 'or' : 'and', rules: found as Rule[] };
}

function ruleToCondition({ kind, name, value, negated }: Rule): ParameterValues {
  const plain: ParameterValues =
    kind === 'metadata' ? { metadata: { name } } : kind === 'metadataValue' ? { metadata: { name, value } } : { [kind]: name };
  return negated ? { not: plain } : plain;
}

/** Undefined: no condition. */
export function rulesToCondition({ together, rules }: Rules): ParameterValues | undefined {
  const [first] = rules;
  if (first === undefined) return undefined;
  return rules.length === 1 ? ruleToCondition(first) : { [together]: rules.map(ruleToCondition) };
}

/** The parsed object; null for other input. */
export function parseCondition(text: string): ParameterValues | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ParameterValues) : null;
  } catch {
    return null;
  }
}

export const APPLY_TO = ['document', 'segments', 'annotations', 'label', 'free'] as const;
export type ApplyToKind = (typeof APPLY_TO)[number];

/** `annotations[person]` means the annotations with that label. */
export function parseApplyToPath(path: string): { readonly kind: ApplyToKind; readonly label: string } {
  const label = /^annotations\[([^[\]]*)\]$/.exec(path);
  if (label !== null) return { kind: 'label', label: label[1] ?? '' };
  const known = path === 'document' || path === 'segments' || path === 'annotations';
  return known ? { kind: path, label: '' } : { kind: path === '' ? 'document' : 'free', label: '' };
}
