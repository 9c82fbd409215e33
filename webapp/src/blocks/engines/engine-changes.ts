import type { EngineChange, EngineValues } from '@/api/resources/experiments';

/** The same value whatever the order of its keys. */
function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, stable(part)]),
  );
}

/** V-030: what an update sends, only the changed label and parameters. */
export function changesOf(
  before: Pick<EngineValues, 'label' | 'parameters'>,
  after: Pick<EngineValues, 'label' | 'parameters'>,
): EngineChange {
  const same = JSON.stringify(stable(before.parameters)) === JSON.stringify(stable(after.parameters));
  return { ...(after.label !== before.label && { label: after.label }), ...(!same && { parameters: after.parameters }) };
}
