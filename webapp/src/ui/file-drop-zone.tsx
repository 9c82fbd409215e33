import { Upload } from 'lucide-react';
import { useId, useRef, useState, type DragEvent } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { droppedFiles, withoutHiddenFiles } from './dropped-files';
import styles from './ui.module.css';

/** Maximum number of files read from a dropped folder. */
const FOLDER_FILES = 2000;

export interface FileDropZoneProps {
  /** `refused`: names of files refused in the same drop. */
  readonly onFiles: (files: File[], refused: string[]) => void;
  /** Extensions without dot; empty or absent accepts all. */
  readonly extensions?: readonly string[];
  readonly multiple?: boolean;
  /** Folders can be dropped and chosen: `folderOf` returns the folder of a file. */
  readonly folders?: boolean;
  readonly disabled?: boolean;
  /** Second line: what is accepted, how many. */
  readonly hint?: string;
  /** Called with the names refused for their extension. */
  readonly onRefused?: (names: string[]) => void;
}

export function hasExtension(name: string, extensions: readonly string[] | undefined): boolean {
  if (extensions === undefined || extensions.length === 0) return true;
  return extensions.some((extension) => name.toLowerCase().endsWith(`.${extension.toLowerCase()}`));
}

/** Browser attribute without JSX type. */
const FOLDER_INPUT = { webkitdirectory: '' };

interface FolderInputProps {
  readonly disabled: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

function FolderInput({ disabled, onFiles }: FolderInputProps) {
  const { t } = useTranslation('common');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      {' '}
      <button type="button" className={styles['drop-folder']} disabled={disabled} onClick={() => input.current?.click()}>
        {t('drop.folder')}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        disabled={disabled}
        aria-label={t('drop.folder')}
        {...FOLDER_INPUT}
        onChange={(event) => {
          onFiles(withoutHiddenFiles([...(event.target.files ?? [])]));
          event.target.value = '';
        }}
      />
    </>
  );
}

export function FileDropZone({
  onFiles,
  extensions,
  multiple = true,
  folders = false,
  disabled = false,
  hint,
  onRefused,
}: FileDropZoneProps) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const take = (files: readonly File[]) => {
    const good = files.filter((file) => hasExtension(file.name, extensions));
    const bad = files.filter((file) => !good.includes(file)).map((file) => file.name);
    if (bad.length > 0) onRefused?.(bad);
    if (good.length > 0) onFiles(multiple ? good : good.slice(0, 1), bad);
    if (input.current !== null) input.current.value = '';
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (disabled) return;
    if (folders) void droppedFiles(event.dataTransfer, FOLDER_FILES).then(take);
    else take([...event.dataTransfer.files]);
  };
  return (
    <div
      className={styles['drop']}
      data-over={over || undefined}
      data-disabled={disabled || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Upload size={20} aria-hidden />
      <div>
        <label htmlFor={id}>
          <Trans ns="common" i18nKey={multiple ? 'drop.many' : 'drop.one'} components={{ choose: <span className={styles['link']} /> }} />
        </label>
        <input
          ref={input}
          id={id}
          type="file"
          className="visually-hidden"
          multiple={multiple}
          disabled={disabled}
          {...(extensions === undefined || extensions.length === 0
            ? {}
            : { accept: extensions.map((extension) => `.${extension}`).join(',') })}
          onChange={(event) => take([...(event.target.files ?? [])])}
        />
        {folders && <FolderInput disabled={disabled} onFiles={take} />}
        {hint !== undefined && <p className={styles['field-help']}>{hint}</p>}
      </div>
    </div>
  );
}
