/** Form for a new label of a label set: Enter saves, Escape or Cancel closes; empty again after saving (W-018). */
import { useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useAnnotationStrings } from '@/annotation/strings';

interface AddLabelFormProps {
  readonly onSave: (label: string) => Promise<void>;
  readonly onClose: () => void;
}

export function AddLabelForm({ onSave, onClose }: AddLabelFormProps): ReactNode {
  const strings = useAnnotationStrings();
  const errorId = useId();
  const [label, setLabel] = useState('');
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState('');

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (saving || label.trim() === '') return;
    setSaving(true);
    setError('');
    try {
      await onSave(label.trim());
      setLabel('');
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason));
    } finally {
      setSaving(false);
    }
  };

  return (
    <form
      className="ann-add-label"
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="ann-field">
        <input
          autoFocus
          aria-label={strings.newLabel}
          placeholder={strings.newLabel}
          aria-invalid={error !== ''}
          aria-describedby={error === '' ? undefined : errorId}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
      </div>
      {error !== '' && (
        <p id={errorId} className="ann-error" role="alert">
          {error}
        </p>
      )}
      <div className="ann-add-actions">
        <button type="button" className="ann-button" onClick={onClose}>
          {strings.cancel}
        </button>
        <button type="submit" className="ann-button ann-solid" aria-disabled={saving}>
          {strings.save}
        </button>
      </div>
    </form>
  );
}
