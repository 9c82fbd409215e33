import type { EngineSettingsChange, EngineSettings } from '@/api/resources/experiments';

/** The same value with sorted keys, for comparison. */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, withSortedKeys(part)]),
  );
}

/** V-030: the content of an update: only the changed label and parameters. */
export function changedLabelAndParameters(
  before: Pick<EngineSettings, 'label' | 'parameters'>,
  after: Pick<EngineSettings, 'label' | 'parameters'>,
): EngineSettingsChange {
  const same = JSON.stringify(withSortedKeys(before.parameters)) === JSON.stringify(withSortedKeys(after.parameters));
  return { ...(after.label !== before.label && { label: after.label }), ...(!same && { parameters: after.parameters }) };
}
