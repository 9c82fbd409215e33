import { Shuffle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '@/api/errors';
import { imageAddress } from '@/api/resources/archives-and-shares';
import { uploadFiles } from '@/api/upload';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { FileDropZone } from '@/ui/file-drop-zone';
import { useSessionStore } from '@/state/session-store';
import { drawRandomImage } from './random-image';
import { BACK_DELAY_MS, IMAGE_EXTENSIONS, isWebAddress, LINK_DELAY_MS, MAX_IMAGE_BYTES } from './image-link';
import styles from './projects.module.css';

/** The chosen image: the id of an uploaded one, or a web address. */
export interface ProjectImage {
  readonly imageId?: string;
  readonly imageFilename?: string;
  readonly imageUrl?: string;
}

type Mode = 'random' | 'upload' | 'link';
const MODES: readonly Mode[] = ['random', 'upload', 'link'];

export interface ImagePickerProps {
  readonly value: ProjectImage;
  readonly onChange: (image: ProjectImage) => void;
  readonly disabled?: boolean;
  /** Whether an image was provided where the mode requires one (V-036). */
  readonly onComplete?: (complete: boolean) => void;
  /** The form was submitted: shows an error when the image is missing. */
  readonly tried?: boolean;
}

/** C-018: uses the address once typing has paused. */
function useDebouncedLink(link: string, onLink: (link: string) => void) {
  useEffect(() => {
    if (link === '' || !isWebAddress(link)) return undefined;
    const timer = setTimeout(() => onLink(link), LINK_DELAY_MS);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the caller's function changes with each drawing
  }, [link]);
}

const LinkProblem = ({ text }: { readonly text: string | undefined }) => text !== undefined && <p role="alert">{text}</p>;

function ImagePreview({ image }: { readonly image: ProjectImage }) {
  const { t } = useTranslation('project');
  return (
    <div className={styles['preview']}>
      {image.imageId === undefined ? (
        <span>{image.imageUrl ?? t('image.none')}</span>
      ) : (
        <img src={imageAddress(image.imageId)} alt={t('image.preview')} />
      )}
    </div>
  );
}

/** V-036: key of the error text for the image in this mode; null when it is valid. */
function imageProblem(mode: Mode, link: string, image: ProjectImage): 'missing' | 'wrongAddress' | null {
  if (mode === 'link' && link !== '' && !isWebAddress(link)) return 'wrongAddress';
  return mode === 'random' || image.imageId !== undefined || image.imageUrl !== undefined ? null : 'missing';
}

/** D-022, C-048: a random image drawn here, an upload, or a link. B-007: an air-gapped installation draws none. */
export function ImagePicker({ value, onChange, disabled = false, onComplete, tried = false }: ImagePickerProps) {
  const { t } = useTranslation('project');
  const airGapped = useSessionStore((state) => state.config.airGapped === true);
  const [mode, setMode] = useState<Mode>('random');
  const [link, setLink] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const backToRandom = () =>
    setTimeout(() => {
      setMode('random');
      setLink('');
    }, BACK_DELAY_MS);
  useDebouncedLink(link, (imageUrl) => {
    onChange({ imageUrl });
    backToRandom();
  });
  const wrong = imageProblem(mode, link, value);
  useEffect(() => onComplete?.(wrong === null), [wrong, onComplete]);
  const said = wrong === 'wrongAddress' || (wrong !== null && tried) ? t(`image.${wrong}`) : undefined;
  const send = async (file: File | null) => {
    setProblem(undefined);
    if (file === null) return;
    if (file.size > MAX_IMAGE_BYTES) return setProblem(t('image.tooLarge'));
    setBusy(true);
    try {
      const [uploaded] = await uploadFiles([file], { image: true });
      if (uploaded !== undefined) onChange({ imageId: uploaded.id, imageFilename: uploaded.filename });
      backToRandom();
    } catch (error) {
      notifyFailure(error, 'upload');
    } finally {
      setBusy(false);
    }
  };
  return (
    <fieldset className={styles['picker']} disabled={disabled}>
      <legend>{t('image.title')}</legend>
      <ImagePreview image={value} />
      <div className={styles['choices']}>
        <SegmentedControl
          label={t('image.mode')}
          value={mode}
          onChange={setMode}
          options={MODES.map((one) => ({ value: one, label: t(`image.${one === 'random' && airGapped ? 'withoutPicture' : one}`) }))}
        />
        {mode === 'random' && !airGapped && (
          <Button icon={Shuffle} busy={busy} disabled={disabled} onClick={() => void drawRandomImage().then(send)}>
            {t('image.draw')}
          </Button>
        )}
        {mode === 'upload' && (
          <FileDropZone
            multiple={false}
            disabled={busy || disabled}
            extensions={IMAGE_EXTENSIONS}
            hint={t('image.hint')}
            onFiles={([file]) => void send(file ?? null)}
            onRefused={() => setProblem(t('image.refused'))}
          />
        )}
        {mode === 'link' && (
          <TextInput
            label={t('image.address')}
            value={link}
            onChange={setLink}
            disabled={disabled}
            help={t('image.linkHelp')}
            error={said}
          />
        )}
        <LinkProblem text={mode === 'link' ? undefined : (problem ?? said)} />
      </div>
    </fieldset>
  );
}
